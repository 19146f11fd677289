/** A mention as a comment has it; its box shows @Name. */
const written = /@\[([^[\]\n]{1,400})\]\(user:[\w-]{1,64}\)/g

interface Mention {
  /** Where it stands in the shown text. */
  from: number
  to: number
  /** Where it stands in the comment. */
  start: number
  end: number
}

interface Shown {
  text: string
  mentions: Mention[]
}

/** What the box shows of a comment. */
export function shownOf(comment: string): Shown {
  const mentions: Mention[] = []
  let text = ''
  let start = 0
  for (const match of comment.matchAll(written)) {
    text += comment.slice(start, match.index)
    const from = text.length
    text += `@${match[1]}`
    start = match.index + match[0].length
    mentions.push({ from, to: text.length, start: match.index, end: start })
  }
  return { text: text + comment.slice(start), mentions }
}

/** The comment after its shown text has become `now`. A mention that has changed is text. */
export function rewritten(comment: string, now: string): string {
  const { text, mentions } = shownOf(comment)
  const shorter = Math.min(text.length, now.length)
  let before = 0
  while (before < shorter && text[before] === now[before]) before++
  let after = 0
  while (after < shorter - before && text.at(-1 - after) === now.at(-1 - after)) after++

  /** The comment of a part of the shown text. */
  function part(from: number, to: number): string {
    let kept = ''
    let at = from
    for (const mention of mentions) {
      if (mention.from < from || mention.to > to) continue
      kept += text.slice(at, mention.from) + comment.slice(mention.start, mention.end)
      at = mention.to
    }
    return kept + text.slice(at, to)
  }
  return part(0, before) + now.slice(before, now.length - after) + part(text.length - after, text.length)
}
