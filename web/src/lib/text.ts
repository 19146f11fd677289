/** Characters as the API counts them: Unicode code points. */
export function lengthOf(text: string): number {
  return [...text].length
}

/** An absolute http or https address as the API takes it: no blank, no backslash, no user name or password in it. */
export function isWebAddress(text: string): boolean {
  if (text.length > 2048 || /[\s\\]/.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password, hostname } = new URL(text)
  return /^https?:$/.test(protocol) && /^https?:\/\//i.test(text) && !username && !password && hostname !== ''
}
