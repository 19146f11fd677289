interface IntervalPictureProps {
  total: number
  estimate: number
  low: number
  high: number
  reviews: readonly { label: string; mark: number }[]
}

/** The marks as ticks on a line from nothing to all, the interval as a band, the estimate in the pen's red. */
export function IntervalPicture({ total, estimate, low, high, reviews }: IntervalPictureProps) {
  const at = (mark: number) => `${(100 * mark) / total}%`
  return (
    <div aria-hidden="true" className="relative mt-2 h-20">
      <div className="absolute inset-x-0 top-9 h-0.5 bg-line" />
      <div
        className="absolute top-6 h-6 rounded-full bg-highlighter/60"
        style={{ insetInlineStart: at(low), width: at(high - low) }}
      />
      {reviews.map(({ label, mark }) => (
        <div key={label} className="absolute top-7 h-4 w-0.5 bg-ink" style={{ insetInlineStart: at(mark) }} />
      ))}
      <div
        className="absolute top-4 h-10 w-1 rounded-full bg-red"
        style={{ insetInlineStart: at(estimate) }}
      />
      <span className="absolute start-0 bottom-0 text-sm text-soft tabular-nums">0</span>
      <span className="absolute end-0 bottom-0 text-sm text-soft tabular-nums">{total}</span>
    </div>
  )
}
