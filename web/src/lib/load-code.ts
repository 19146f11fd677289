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
 * Whether a reload helps: code is missing because there is a new release, and it was not tried before. Where the
 * old release comes back, as from a balancer, reloading would never end.
 */
export function reloadHelps(problem: unknown): boolean {
  try {
    return isProblem(problem, 'new-release') && sessionStorage.getItem(reloadedKey) !== ownScript()
  } catch {
    return false
  }
}

/** Reloads the page for the new release. Drafts outlive it. */
export function reloadForNewRelease(): void {
  try {
    sessionStorage.setItem(reloadedKey, ownScript())
  } catch {
    // Then `reloadHelps` says no.
  }
  window.location.reload()
}
