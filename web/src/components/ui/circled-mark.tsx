import type { ReactNode } from 'react'
import { cx } from '@/lib/cx'
import { penCircle, penLine } from './pen'

/**
 * A teacher's pen circle around its content: an obtained mark, the current page. `seed` shapes the stroke
 * (an id does well), null leaves it out; `drawn` lets it draw itself once, for a grade that just arrived.
 */
export function CircledMark({
  seed,
  drawn = false,
  className,
  children,
}: {
  seed: string | null
  drawn?: boolean
  className?: string
  children: ReactNode
}) {
  return (
    <span className={cx('relative inline-grid min-h-10 min-w-10 place-items-center px-2', className)}>
      {seed !== null && (
        <svg
          aria-hidden="true"
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className="pointer-events-none absolute inset-0 size-full overflow-visible text-red"
        >
          <path
            d={penCircle(seed)}
            pathLength={1}
            strokeWidth="2.2"
            className={cx('pen-stroke', drawn && 'pen-stroke-drawn')}
          />
        </svg>
      )}
      <span className="relative">{children}</span>
    </span>
  )
}

/** The pen's circle as far as it is drawn: it closes arc by arc as `count` nears `needed`. */
export function CircleSoFar({ seed, count, needed }: { seed: string; count: number; needed: number }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 100"
      className="me-1.5 size-4 shrink-0 overflow-visible fill-none stroke-red"
    >
      <circle cx="50" cy="50" r="44" strokeWidth="5" className="stroke-line" />
      <path
        d={penCircle(seed)}
        pathLength={needed}
        strokeWidth="11"
        strokeDasharray={`${Math.min(count, needed)} ${needed}`}
        className="transition-[stroke-dasharray] duration-700 ease-out"
      />
    </svg>
  )
}

/** The one stressed word of a page, with a stroke of the highlighter behind it. */
export function Stressed({ seed, children }: { seed: string; children: ReactNode }) {
  return (
    <span className="relative inline-block">
      <svg
        aria-hidden="true"
        viewBox="0 0 100 20"
        preserveAspectRatio="none"
        className="pointer-events-none absolute inset-x-0 -bottom-[0.14em] h-[0.3em] w-full overflow-visible text-highlighter dark:opacity-70"
      >
        <path d={penLine(seed)} pathLength={1} strokeWidth="9" className="pen-stroke pen-stroke-drawn" />
      </svg>
      <span className="relative">{children}</span>
    </span>
  )
}
