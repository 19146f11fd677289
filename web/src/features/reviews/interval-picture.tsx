import { t } from '@lingui/core/macro'
import { CircledMark } from '@/components/ui'
import { cx } from '@/lib/cx'
import { rounded } from '@/lib/rounded'

interface IntervalPictureProps {
  /** Shapes the circle around the mark. */
  seed: string
  total: number
  mark: number
  low: number
  high: number
  usualMark: number
  reviews: readonly { label: string; mark: number }[]
}

/**
 * The marks from nothing to all as a line: the reviews as pins in it, what the mark may well be as a stroke of the
 * highlighter, and the mark on it, circled.
 */
export function IntervalPicture({ seed, total, mark, low, high, usualMark, reviews }: IntervalPictureProps) {
  const at = (value: number) => `${(100 * value) / total}%`
  const one = (value: number) => rounded(value, total).toFixed(1)
  const offset = (value: number) => ({ insetInlineStart: at(value) })
  const narrow = (high - low) / total < numberWidth
  const pins = stacked(reviews, total)
  const floors = Math.max(...pins.map(({ floor }) => floor)) + 1
  return (
    <figure className="min-w-0">
      <div aria-hidden="true" className="mx-6">
        <div className="relative" style={{ height: `${floors * 1.75 + 0.75}rem` }}>
          {pins.map(({ label, mark: given, floor }) => (
            <span
              key={label}
              className="absolute bottom-0 grid w-0 justify-center justify-items-center"
              style={{ insetInlineStart: at(given) }}
            >
              <span className="grid size-6 place-items-center rounded-full border border-ink bg-raised text-xs font-semibold">
                {label}
              </span>
              <span className="w-px bg-ink" style={{ height: `${floor * 1.75 + 0.5}rem` }} />
            </span>
          ))}
        </div>
        <div className="relative h-12">
          <div className="absolute inset-x-0 top-1/2 h-0.5 -translate-y-1/2 rounded-full bg-edge" />
          <div
            className="absolute inset-y-2 rounded-sm bg-highlighter/70 dark:bg-highlighter/50"
            style={{ insetInlineStart: at(low), width: at(high - low) }}
          />
          <span
            className="absolute top-1 -bottom-1.5 w-0 border-s-2 border-dashed border-ink"
            style={{ insetInlineStart: at(usualMark) }}
          />
          <span
            className="absolute inset-y-0 grid w-0 place-content-center"
            style={{ insetInlineStart: at(mark) }}
          >
            <CircledMark
              seed={seed}
              drawn
              className="min-h-12 min-w-12 rounded-full bg-raised font-display text-xl font-bold tabular-nums"
            >
              {mark}
            </CircledMark>
          </span>
        </div>
        <div className="relative mt-1.5 h-6 text-sm text-soft tabular-nums">
          {endsApart(low, high, total).map((value) => (
            <span
              key={value}
              className="absolute w-12 text-center"
              style={{ insetInlineStart: `calc(${at(value)} - 1.5rem)` }}
            >
              {value}
            </span>
          ))}
          <span className={cx(numberClass, narrow ? 'justify-end' : 'justify-center')} style={offset(low)}>
            {one(low)}
          </span>
          <span className={cx(numberClass, narrow ? 'justify-start' : 'justify-center')} style={offset(high)}>
            {one(high)}
          </span>
        </div>
      </div>
      <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm text-soft">
        <Sign sign={<span className="block size-4 rounded-full border border-ink bg-raised" />}>
          {t`a review`}
        </Sign>
        <Sign sign={<span className="block h-4 border-s-2 border-dashed border-ink" />}>
          {t`the class average`}
        </Sign>
        <Sign sign={<span className="block h-3 w-6 rounded-sm bg-highlighter/70 dark:bg-highlighter/50" />}>
          {t`8 panels of experts in 10`}
        </Sign>
      </figcaption>
    </figure>
  )
}

function Sign({ sign, children }: { sign: React.ReactNode; children: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden="true">{sign}</span>
      {children}
    </span>
  )
}

/** Numbers of an interval that leaves no room for both below its ends stand beside it: the share that one takes up. */
const numberWidth = 0.2
/** Without a width of its own, so that its text hangs on the place it is given. */
const numberClass = 'absolute flex w-0 font-semibold text-ink'

/** Pins that would lie on each other stand on floors: the share of the line that one takes up on a phone. */
const pinWidth = 0.125

function stacked(reviews: IntervalPictureProps['reviews'], total: number) {
  const ends: number[] = []
  return (
    reviews
      .toSorted((a, b) => a.mark - b.mark)
      .map((review) => {
        const share = review.mark / total
        const free = ends.findIndex((end) => share - end >= pinWidth)
        const floor = free < 0 ? ends.length : free
        ends[floor] = share
        return { ...review, floor }
      })
      // A lower pin lies over the needle of the one above it.
      .toSorted((a, b) => b.floor - a.floor)
  )
}

/** The ends of the line, where the interval's own numbers leave room for them. */
const endsApart = (low: number, high: number, total: number) =>
  [0, total].filter((end) => Math.min(Math.abs(end - low), Math.abs(end - high)) / total > 0.15)
