import { trimmed } from '@/lib/text'
import { placed } from '@/entities/rubric/rubric'

/** Matches text that Markdown would read as markup. */
const markup = /[\\`*_[\]<>&~|!#]/g

/**
 * The feedback of a review by a rubric, in Markdown: for each criterion with a comment its title in bold and the
 * comment under it, in the rubric's order, then the general comment.
 */
export function composeFeedback(
  criteria: readonly { title: string }[],
  comments: readonly (string | undefined)[],
  whole: string,
): string {
  const parts = placed(criteria).map(({ title, index: at }) => {
    const comment = trimmed(comments[at] ?? '')
    return comment && `**${title.trim().replace(markup, String.raw`\$&`)}**\n\n${comment}`
  })
  return [...parts, trimmed(whole)].filter(Boolean).join('\n\n')
}
