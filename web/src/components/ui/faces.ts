import { penCircle } from './pen'

const inks = ['#0B6B4F', '#C2372E', '#8A5A00', '#2E6B1F', '#1C2130']

/** The first characters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u)
  const first = [...(words[0] ?? '')][0] ?? '?'
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : ''
  return (first + last).toUpperCase()
}

/** A sheet with the initials in ink and a pen circle around them. */
export function faceFor(name: string): string {
  const ink =
    inks[[...name].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0) % inks.length] ?? '#1C2130'
  return picture(
    `<path d="${penCircle(name)}" fill="none" stroke="${ink}" stroke-width="5" stroke-linecap="round" transform="translate(10 10) scale(.8)"/>` +
      `<text x="50" y="51" dy=".35em" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="34" fill="${ink}">${escape(initialsOf(name))}</text>`,
  )
}

/** The picture of a visitor. */
export const guestFace = '/art/guest.svg'

function picture(body: string): string {
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path fill="#FBFAF6" d="M0 0h100v100H0z"/>${body}</svg>`,
  )}`
}

function escape(text: string): string {
  return text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)
}
