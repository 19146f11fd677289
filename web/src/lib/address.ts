import { isWebAddress } from './text'

/** A host name with a path, or that begins with www: an address whose https:// is missing. */
const bareAddress = /^(?:www\.)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u

/** The name of a file on its writer's computer, which no top-level domain ends. */
const fileName = /^[^/?#]+\.(?:png|jpe?g|gif|svg|webp|avif|heic|pdf|docx?|odt|rtf|txt)$/i

/**
 * The web address in a text that was pasted or typed: between the angle brackets of an email program, among the words
 * of a phone's share sheet, with invisible characters around it, or without its https://. Null where there is none.
 */
export function addressIn(text: string): string | null {
  const visible = text
    .replaceAll(/\p{Cf}|%E2%80%8B/giu, '')
    .replaceAll(/\b(https?)\s*:\s*\/\s*\/\s*/gi, '$1://')
    .trim()
  const bracketed = /<\s*(https?:[^<>]*)>/i.exec(visible)?.[1]
  if (bracketed) {
    const unwrapped = bracketed.replaceAll(/\s/g, '')
    if (isWebAddress(unwrapped)) return unwrapped
  }
  const words = visible.split(/[\s<>"“”„«»]+/).filter(Boolean)
  const whole = words.flatMap((word) => /https?:.*/i.exec(word)?.[0] ?? []).map(mended)
  const bare = words
    .map(withoutPunctuation)
    .filter(
      (word) =>
        bareAddress.test(word) && !fileName.test(word) && (words.length === 1 || /^www\.|\//.test(word)),
    )
    .map((word) => `https://${word}`)
  return [...whole, ...bare].find(isWebAddress) ?? null
}

function mended(address: string): string {
  return withoutPunctuation(address).replace(
    /^(https?):\/*/i,
    (_, scheme: string) => `${scheme.toLowerCase()}://`,
  )
}

/** Without the punctuation of the sentence around it. A bracket stays if it was opened in the word. */
function withoutPunctuation(word: string): string {
  const opened = /^[([{]+/.exec(word)?.[0].length ?? 0
  let rest = word.slice(opened)
  for (;;) {
    const last = rest.at(-1) ?? ''
    const open = { ')': '(', ']': '[', '}': '{' }[last]
    const unopened = open !== undefined && rest.split(open).length < rest.split(last).length
    if (!unopened && !/[.,;:!?'’…]/.test(last)) return rest
    rest = rest.slice(0, -1)
  }
}
