import { secretIn } from './secret'

/**
 * Where to go after signing in. Only a path of this app is accepted: anything that could lead a browser
 * elsewhere ('//evil', '/\evil', 'https:…', 'javascript:…'), to the API or back to the auth pages is '/'. The page
 * that confirms an address is none of those: it wants its user signed in.
 */
export function safePath(from: unknown): string {
  // Browsers read a backslash as a slash and drop tabs and line breaks before they parse.
  if (typeof from !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(from)) return '/'
  const url = new URL(from, 'http://app.invalid')
  // Dots are gone by now: '/.//evil.example' has become what the first check refuses.
  if (url.origin !== 'http://app.invalid' || url.pathname.startsWith('//')) return '/'
  if (/^\/(api|auth(?!\/verify$))(\/|$)/.test(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}

/** The navigation state of the auth pages, which Login and Register pass to each other. */
export interface AuthState {
  from?: string
  /** The action to continue on the page that the user returns to. */
  resume?: 'take'
  /** The session ended while its user was on a page. */
  ended?: true
  /** The secret of an invitation with which a newcomer may register. */
  invitation?: string
}

/** The state of an auth page. An invitation comes with the page to return to, or behind the # of the address. */
export function authState({ state, hash }: { state: unknown; hash: string }): AuthState {
  const given = (typeof state === 'object' && state !== null ? state : {}) as Record<string, unknown>
  const from = safePath(given.from)
  const secrets = [secretIn(hash), from.startsWith('/join#') ? secretIn(from) : '', given.invitation]
  const invitation = secrets.find((secret) => typeof secret === 'string' && secret !== '')
  return {
    from,
    ...(given.resume === 'take' && { resume: 'take' }),
    ...(given.ended === true && { ended: true }),
    ...(typeof invitation === 'string' && { invitation }),
  }
}
