/** The secret in the address of an invitation, or in a text that is nothing but one; empty if there is none. */
export function secretIn(link: string): string {
  const secret = link.slice(link.indexOf('#') + 1).trim()
  return /^[\w-]{16,}$/.test(secret) ? secret : ''
}
