import { plural, t } from '@lingui/core/macro'
import type { components } from '@/api/schema.gen'
import { percent } from '@/lib/rounded'

type Habit = components['schemas']['ReviewHabit']

const follows = (): Record<Habit['follows'], string> => ({
  closely: t`They follow the work closely: you give better work higher marks.`,
  mostly: t`They follow the work for the most part.`,
  hardly: t`They hardly follow the work: you do not give better work higher marks.`,
  unknown: t`The submissions were too much alike to say whether your marks follow the work.`,
})

/** Below this, in percent of the total, a reviewer is neither strict nor generous. */
const even = 1
/** The ends of the picture, in percent of the total. */
const widest = 20

function strictnessOf(strictness: number): string {
  if (Math.abs(strictness) < even) return t`Your marks are neither above nor below the settled ones.`
  return strictness < 0
    ? t`You are strict: your marks are ${{ distance: percent(-strictness) }} of the total below the settled ones.`
    : t`You are generous: your marks are ${{ distance: percent(strictness) }} of the total above the settled ones.`
}

/** How the user reviews, which only they see. */
export function HowYouReview({ habit }: { habit: Habit }) {
  const { reviews, strictness, distance } = habit
  const words = strictnessOf(strictness)
  return (
    <section
      aria-labelledby="how-you-review"
      className="mb-8 grid gap-x-10 gap-y-4 rounded-card border border-line bg-raised p-5 lg:grid-cols-2"
    >
      <div>
        <h2 id="how-you-review" className="text-xl">
          {t`How you review`}
        </h2>
        <p className="mt-2">
          {words} {t`Apart from that they are typically ${{ distance: percent(distance) }} away.`}{' '}
          {follows()[habit.follows]}
        </p>
        <p className="mt-2 text-sm text-soft">
          {plural(reviews, {
            other:
              'Only you see this. It compares your latest # reviews of exemplars and settled submissions with the marks that they have.',
          })}
        </p>
      </div>
      <Picture strictness={strictness} distance={distance} words={words} />
    </section>
  )
}

const width = 320
const xOf = (share: number) =>
  width / 2 + (Math.min(Math.max(share, -widest), widest) / widest) * (width / 2 - 12)

/** A scale from strict to generous with the user's place on it; the bar is as wide as their marks are typically away. */
function Picture({
  strictness,
  distance,
  words,
}: Pick<Habit, 'strictness' | 'distance'> & { words: string }) {
  const from = xOf(strictness - distance)
  return (
    <svg viewBox={`0 0 ${width} 64`} role="img" aria-label={words} className="w-full max-w-md self-center">
      <line x1={xOf(-widest)} x2={xOf(widest)} y1="26" y2="26" className="stroke-line" strokeWidth="2" />
      <line x1={xOf(0)} x2={xOf(0)} y1="14" y2="38" className="stroke-ink" strokeWidth="2" />
      <line
        x1={from}
        x2={xOf(strictness + distance)}
        y1="26"
        y2="26"
        className="stroke-green"
        strokeWidth="8"
        opacity="0.4"
      />
      <circle cx={xOf(strictness)} cy="26" r="7" className="fill-green" />
      <text x={xOf(-widest)} y="58" className="fill-soft text-xs">
        {t`strict`}
      </text>
      <text x={xOf(0)} y="58" textAnchor="middle" className="fill-soft text-xs">
        {t`as settled`}
      </text>
      <text x={xOf(widest)} y="58" textAnchor="end" className="fill-soft text-xs">
        {t`generous`}
      </text>
    </svg>
  )
}
