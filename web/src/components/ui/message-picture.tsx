import { cx } from '@/lib/cx'
import { CircledMark } from './circled-mark'
import { penCircle } from './pen'

interface MessagePictureProps {
  kind: 'done' | 'question' | 'failed'
  seed: string
  /** The content of the circle after a success: a mark instead of the tick. */
  circled?: string | undefined
  /** Its size and position; in a message box, above the title. */
  className?: string
}

/** The drawing above a message: a circled tick or mark, a circled question mark, or a broken pen. */
export function MessagePicture({
  kind,
  seed,
  circled,
  className = 'mx-auto mb-4 size-20',
}: MessagePictureProps) {
  if (circled) {
    return (
      <div aria-hidden="true" className="mb-4">
        <CircledMark seed={seed} drawn className="size-20 font-display text-2xl font-bold tabular-nums">
          {circled}
        </CircledMark>
      </div>
    )
  }
  if (kind === 'failed') return <BrokenPencil />
  const done = kind === 'done'
  return (
    <svg aria-hidden="true" viewBox="0 0 100 100" className={cx('overflow-visible', className)}>
      <path d={penCircle(seed)} pathLength={1} strokeWidth="2.5" className={cx(stroke, 'text-red')} />
      <path
        d={done ? 'M30 53c5 5 9 10 13 16 8-17 18-31 34-46' : 'M38 40c0-17 25-17 25-1 0 11-13 11-13 22m0 13v1'}
        pathLength={1}
        strokeWidth={done ? 5 : 4}
        className={cx(stroke, done ? 'text-green [animation-delay:350ms]' : 'text-ink')}
      />
    </svg>
  )
}

const stroke = 'pen-stroke pen-stroke-drawn'

function BrokenPencil() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 120 80"
      className="mx-auto mb-4 h-20 overflow-visible stroke-ink"
      strokeWidth="2"
      strokeLinejoin="round"
    >
      <path d="m14 50 34-13 6 5-1 6 5 6-32 12-14-1z" className="fill-highlighter" />
      <path d="m14 50-9 12 7 3" className="fill-ink" />
      <path d="m66 24 30-11 12 13-33 12-5-5 2-5z" className="fill-highlighter" />
      <path d="m90 15 12 13 6-2c4-2 5-5 3-9s-6-7-10-6z" className="fill-red" />
      <path d="m56 27-5-9m10 4 0-10M68 48l8 8m-2-14 11 3" className="fill-none" strokeLinecap="round" />
    </svg>
  )
}
