/** Characters as the API counts them: Unicode code points. */
export function lengthOf(text: string): number {
  return [...text].length
}

/** A text without the white space around it; the first of several lines keeps the blanks that it begins with. */
export function trimmed(text: string): string {
  const short = text.trim()
  return short.includes('\n') ? text.trimEnd().replace(/^(?:\s*\n)+/, '') : short
}

/**
 * Without the characters that make what follows run the other way, for a title or a sentence, where no element
 * holds their effect.
 */
export function stripBidiControls(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

/** An absolute http or https address as the API takes it: no blank, backslash or invisible character, no user name or password in it. */
export function isWebAddress(text: string): boolean {
  if (lengthOf(text) > 2048 || /[\s\\\p{Cc}\p{Cf}]/u.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password, hostname } = new URL(text)
  return (
    /^https?:$/.test(protocol) && /^https?:\/\/[^/]/i.test(text) && !username && !password && hostname !== ''
  )
}
