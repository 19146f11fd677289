import { t } from '@lingui/core/macro'
import { placed } from '@/entities/rubric/rubric'

interface Criterion {
  title: string
  levels: readonly { marks: number }[]
}

/** A review as it is about to be sent. */
export interface DraftReview {
  /** The decision from 0 to 1: the mark divided by the total. */
  share: number
  criteria: readonly Criterion[]
  /** The level of each criterion, counted from 0. */
  levels: readonly number[]
  comments: readonly (string | undefined)[]
  feedback: string
}

/** English only: text in other languages gets no remark about its tone. */
const praise =
  /\b(?:good|great|excellent|perfect|nice|well (?:done|argued|written|put|structured)|clear(?:ly)?|strong|convincing|love(?:d|ly)?|brilliant|wonderful|amazing|fantastic|impressive|superb|outstanding|like(?:d)?)\b/i
const criticism =
  /\b(?:missing|misses|lacks?|lacking|wrong|incorrect|unclear|confus(?:ing|ed)|weak|poor(?:ly)?|bad(?:ly)?|errors?|mistakes?|incomplete|hard to (?:follow|read)|too (?:short|long|vague|brief)|vague|not (?:clear|convincing|enough|good|explained|supported|answered)|no (?:evidence|sources?|examples?|argument|structure)|fails?|does(?:n['’]t| not) (?:answer|explain|follow))\b/i
const advice =
  /\?|\b(?:but|however|although|though|except|could|should|would|might|try|next|consider|instead|add|more|less|better|improve|suggest|maybe|perhaps|needs?|next time|one thing)\b/i

const near = 0.1

/**
 * Hints for the reviewer before sending. Only the reviewer sees them, nothing is sent, and nothing is
 * refused for it.
 */
export function remarksOn({ share, criteria, levels, comments, feedback }: DraftReview): string[] {
  const said = [...comments.map((comment) => comment?.trim() ?? ''), feedback.trim()].filter(Boolean)
  if (said.length === 0)
    return [t`There is no feedback yet. A sentence on what was good, and one on what to try next, help most.`]
  const all = said.join('\n')
  const remarks: string[] = []
  for (const { title, levels: choices, index: at } of placed(criteria)) {
    const comment = comments[at]?.trim() ?? ''
    if (!comment) {
      if (!mentions(feedback, title)) remarks.push(t`“${title}” has a level, but no comment.`)
      continue
    }
    const marks = choices.map((level) => level.marks)
    const given = marks[levels[at] ?? -1]
    if (given === undefined || Math.max(...marks) === Math.min(...marks)) continue
    if (given === Math.max(...marks) && isCriticism(comment)) {
      remarks.push(t`What you say about “${title}” sounds critical, but its level is the highest.`)
    } else if (given === Math.min(...marks) && isPraise(comment)) {
      remarks.push(t`What you say about “${title}” sounds like praise, but its level is the lowest.`)
    }
  }
  if (share <= near && isPraise(all))
    remarks.push(t`Your words sound like praise, but the mark is near zero.`)
  else if (share >= 1 - near && isCriticism(all))
    remarks.push(t`Your words sound critical, but the mark is near full marks.`)
  else if (share < 1 && isPraise(all))
    remarks.push(t`So far there is only praise. Name one thing to try next.`)
  return remarks
}

const isPraise = (text: string) => praise.test(text) && !criticism.test(text) && !advice.test(text)
const isCriticism = (text: string) => criticism.test(text) && !praise.test(text)

const mentions = (text: string, title: string) => text.toLowerCase().includes(title.trim().toLowerCase())
