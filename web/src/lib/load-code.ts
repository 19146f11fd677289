import { t } from '@lingui/core/macro'
import { Problem, isProblem } from './problem'

let attempts = 0

/**
 * Fetches a part of the app's code, and once more where that failed. Browsers cache a failed module for the life of the
 * document, so the retry uses a different URL. What the part itself imports may be stuck just the same.
 */
export async function fetchCode<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const address = error instanceof Error && /https?:\S+\.js/.exec(error.message)?.[0]
    if (!address) throw error
    attempts++
    return (await import(/* @vite-ignore */ `${address}?attempt=${attempts}`)) as Module
  }
}

/**
 * The same, with a Problem for people where it fails: the server is out of reach (`code-unreachable`), it has
 * another release by now, whose parts have other names (`new-release`), or only a new page helps (`code-stuck`).
 */
export async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await fetchCode(load)
  } catch {
    const release = await presentRelease()
    if (release === null) throw unreachable()
    if (release.includes(ownScript())) throw stuck()
    throw outdated()
  }
}

const unreachable = () =>
  new Problem(() => t`This part could not be loaded. Check your connection and try again.`, {
    status: 0,
    code: 'code-unreachable',
  })

const stuck = () =>
  new Problem(() => t`This part could not be loaded. Please try again.`, { status: 0, code: 'code-stuck' })

const outdated = () =>
  new Problem(
    () => t`This part could not be loaded. The site has been updated. Try again to get the new version.`,
    { status: 0, code: 'new-release' },
  )

/** The script that runs here; its name has its content's hash in it. */
const ownScript = () => document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? ''

/** HTML of the release that the server has now; null where it cannot be reached. */
async function presentRelease(): Promise<string | null> {
  try {
    const response = await fetch('/', { cache: 'no-store' })
    return response.ok ? await response.text() : null
  } catch {
    return null
  }
}

/**
 * Reloads the page where code is missing because there is a new release, and reports whether it does; drafts outlive
 * it. Not twice for one script: where a balancer brings the old release back, it would never end.
 */
export function reloadForRelease(error: unknown): boolean {
  const key = 'reloaded-from'
  if (!isProblem(error, 'new-release')) return false
  try {
    if (sessionStorage.getItem(key) === ownScript()) return false
    sessionStorage.setItem(key, ownScript())
  } catch {
    return false
  }
  window.location.reload()
  return true
}

/** Reloads the page, unless the browser would show a page of its own instead. */
export async function reloadIfReachable(): Promise<void> {
  if ((await presentRelease()) !== null) window.location.reload()
}
