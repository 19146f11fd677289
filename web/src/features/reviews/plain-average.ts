import { t } from '@lingui/core/macro'
/** The part of an explained mark that the comparison needs. */
export interface ExplainedMark {
  reviews: readonly {
    label: string
    mark: number
    /** How well the reviewer's marks follow the work, 0 to 1.5. */
    weight: number
    countsAs: number
    /** The review's weight, where the class average's is kappa. */
    counted: number
  }[]
  total: number
  estimate: number
  usualMark: number
  /** How many reviews the class average counts as. */
  kappa: number
}

/** The average of the reviews as they were given. */
export const plainAverage = (reviews: readonly { mark: number }[]): number =>
  reviews.reduce((sum, { mark }) => sum + mark, 0) / reviews.length

/** A difference that a sentence is worth, in marks. */
const notable = 0.25
/** A review with less than this share of the others' mean weight counts noticeably less. */
const little = 0.8

const two = (marks: number) => marks.toFixed(2)
const one = (marks: number) => marks.toFixed(1).replace(/\.0$/, '')

/** Why the model's mark differs from the plain average of the reviews, in words. */
export function whyItDiffers({ reviews, total, estimate, usualMark, kappa }: ExplainedMark): string {
  const plain = plainAverage(reviews)
  const difference = estimate - plain
  if (Math.abs(difference) < notable) {
    return t`Before it is rounded, the mark is ${{ estimate: two(estimate) }}: the corrections of the model change the plain average little here, or cancel out.`
  }
  const up = difference > 0
  const reasons: string[] = []
  for (const { label, mark, weight, countsAs, counted } of reviews) {
    const moved = countsAs - mark
    if (Math.abs(moved) >= notable && moved > 0 === up) {
      reasons.push(
        moved > 0
          ? t`${label} marked other work lower than other reviewers did, so the ${mark} counts as ${{ countsAs: one(countsAs) }}`
          : t`${label} marked other work higher than other reviewers did, so the ${mark} counts as ${{ countsAs: one(countsAs) }}`,
      )
    }
    const others = reviews.filter((other) => other.label !== label)
    const usual = others.reduce((sum, other) => sum + other.counted, 0) / others.length
    if (counted < little * usual && mark < plain === up) {
      reasons.push(
        weight < little
          ? t`${label}’s marks on other work follow it less closely, so the ${mark} has less weight`
          : t`${label}’s ${mark} is far from the others, so it has less weight`,
      )
    }
  }
  if (Math.abs(usualMark - plain) >= notable && usualMark > plain === up) {
    reasons.push(usualText(usualMark, kappa, up))
  }
  if (reasons.length === 0) {
    reasons.push(t`the average is taken on a scale on which differences near 0 and ${total} count more`)
  }
  const why = reasons.join('; ')
  const text = up
    ? t`The mark is above the plain average: ${why}.`
    : t`The mark is below the plain average: ${why}.`
  const marks = reviews.map(({ mark }) => mark)
  const held = up ? Math.max(...marks) : Math.min(...marks)
  if (estimate !== held || reviews.length === 1) return text
  return `${text} ${up ? t`It is held at the highest review.` : t`It is held at the lowest review.`}`
}

/** What the class average does to the mark. */
function usualText(usualMark: number, kappa: number, up: boolean): string {
  const usual = one(usualMark)
  if (kappa === 1) {
    return up
      ? t`the class average, ${usual}, counts as one more review and draws it up`
      : t`the class average, ${usual}, counts as one more review and draws it down`
  }
  const part = kappa.toFixed(2)
  return up
    ? t`the class average, ${usual}, counts as ${part} of a review and draws it up`
    : t`the class average, ${usual}, counts as ${part} of a review and draws it down`
}
