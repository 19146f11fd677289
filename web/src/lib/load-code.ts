import { Problem, isProblem } from './problem'

/**
 * Fetches a part of the app's code. Throws a Problem for people: the part is out of reach, or the server has
 * another release by now, whose parts have other names.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    throw (await isReplaced())
      ? new Problem('The site has been updated. Try again to get the new version.', {
          status: 0,
          code: 'new-release',
        })
      : new Problem('This part could not be fetched. Check your connection and try again.', {
          status: 0,
          code: 'code-unreachable',
        })
  }
}

/** The script that runs here; its name has its content's hash in it. */
const ownScript = () => document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? ''

async function isReplaced(): Promise<boolean> {
  try {
    const response = await fetch('/', { cache: 'no-store' })
    return response.ok && !(await response.text()).includes(ownScript())
  } catch {
    return false
  }
}

const reloadedKey = 'reloaded-from'

/**
 * Reloads the page where code is missing because there is a new release, once for each release: where the old
 * one comes back, reloading would never end. Drafts outlive it. Tells whether it does.
 */
export function reloadForNewRelease(problem: unknown): boolean {
  if (!isProblem(problem, 'new-release')) return false
  try {
    if (sessionStorage.getItem(reloadedKey) === ownScript()) return false
    sessionStorage.setItem(reloadedKey, ownScript())
  } catch {
    return false
  }
  window.location.reload()
  return true
}
