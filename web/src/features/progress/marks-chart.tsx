import { plural, t } from '@lingui/core/macro'
import { useState, type PointerEvent } from 'react'
import { penCircle } from '@/components/ui/pen'
import { dayOfDate, formatDay } from '@/lib/dates'
import { useWidth } from '@/lib/use-width'
import { levels, lookOf } from './levels'
import { LevelShape } from './level-shape'
import { percent } from '@/lib/rounded'
import type { ObtainedMark } from '@/entities/progress/queries'

const height = 264
const room = { top: 18, end: 22, bottom: 30, start: 44 }
const ticks = [0, 25, 50, 75, 100]

interface MarksChartProps {
  /** Oldest first; at least one. */
  marks: readonly ObtainedMark[]
  average: number | undefined
}

const dayOf = ({ markedAt }: ObtainedMark) => formatDay(dayOfDate(new Date(markedAt)))

/**
 * Marks one after the other, as shares of what could be obtained. They stand at equal distances: several may come on
 * one day, and none for weeks. The line below names the one that is pointed at, or else the latest.
 */
export function MarksChart({ marks, average }: MarksChartProps) {
  const [ref, width] = useWidth()
  const [pointed, setPointed] = useState<number | null>(null)
  const last = marks.length - 1
  const shown = Math.min(pointed ?? last, last)
  const named = marks[shown]

  const step = (width - room.start - room.end) / marks.length
  const xOf = (i: number) => room.start + step * (i + 0.5)
  const y = (share: number) => height - room.bottom - ((height - room.bottom - room.top) * share) / 100

  function point(event: PointerEvent<SVGSVGElement>) {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left
    setPointed(Math.max(0, Math.min(last, Math.round((at - xOf(0)) / step))))
  }

  return (
    <>
      <div ref={ref} style={{ height }}>
        {width > 0 && (
          <svg
            role="img"
            aria-label={summaryOf(marks)}
            width={width}
            height={height}
            className="touch-pan-y overflow-visible text-xs"
            onPointerMove={point}
            onPointerDown={point}
            onPointerLeave={() => setPointed(null)}
          >
            {ticks.map((tick) => (
              <line
                key={tick}
                x1={room.start}
                x2={width - room.end}
                y1={y(tick)}
                y2={y(tick)}
                stroke="var(--line)"
              />
            ))}
            {ticks.map((tick) => (
              <text
                key={tick}
                x={room.start - 8}
                y={y(tick)}
                dy="0.33em"
                textAnchor="end"
                className="fill-soft tabular-nums"
              >
                {percent(tick)}
              </text>
            ))}
            <Days marks={marks} xOf={xOf} />
            {average !== undefined && (
              <line
                x1={room.start}
                x2={width - room.end}
                y1={y(average)}
                y2={y(average)}
                stroke="var(--green)"
                strokeWidth={2}
                strokeDasharray="2 6"
                strokeLinecap="round"
              />
            )}
            <polyline
              points={marks.map((mark, i) => `${xOf(i)},${y(mark.percent)}`).join(' ')}
              fill="none"
              stroke="var(--edge)"
              strokeWidth={1.5}
            />
            {marks.map(({ level, percent: share, markedAt }, i) => (
              <LevelShape
                // oxlint-disable-next-line react/no-array-index-key -- an assignment may be there twice
                key={`${markedAt} ${i}`}
                level={level}
                colour={lookOf(level).colour}
                x={xOf(i)}
                y={y(share)}
                large={i === pointed}
              />
            ))}
            {named && (
              <path
                d={penCircle(named.markedAt)}
                pathLength={1}
                transform={`translate(${xOf(shown) - 15} ${y(named.percent) - 15}) scale(.3)`}
                className="pen-stroke text-red"
                strokeWidth="2.2"
              />
            )}
          </svg>
        )}
      </div>
      {named && (
        <p className="mt-3 flex min-h-6 min-w-0 items-baseline gap-x-2 text-sm">
          <bdi className="truncate font-semibold">{named.assignmentTitle || t`Untitled`}</bdi>
          <span className="shrink-0 text-soft tabular-nums">
            {percent(named.percent)}
            <span className="max-sm:hidden">, {dayOf(named)}</span>
          </span>
        </p>
      )}
      <Legend average={average} />
    </>
  )
}

/** The first day and the last one, where they differ. */
function Days({ marks, xOf }: { marks: readonly ObtainedMark[]; xOf: (i: number) => number }) {
  const [first, latest] = [marks[0], marks.at(-1)]
  if (!first || !latest) return null
  const alone = dayOf(first) === dayOf(latest)
  const ends = alone
    ? [{ at: (xOf(0) + xOf(marks.length - 1)) / 2, text: dayOf(first), anchor: 'middle' as const }]
    : [
        { at: room.start, text: dayOf(first), anchor: 'start' as const },
        { at: xOf(marks.length - 1) + 12, text: dayOf(latest), anchor: 'end' as const },
      ]
  return ends.map(({ at, text, anchor }) => (
    <text key={anchor} x={at} y={height - 8} textAnchor={anchor} className="fill-soft tabular-nums">
      {text}
    </text>
  ))
}

function Legend({ average }: { average: number | undefined }) {
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
      {levels.map(({ level, word, colour }) => (
        <li key={level} className="flex items-center gap-1.5">
          <svg aria-hidden="true" width="16" height="16">
            <LevelShape level={level} colour={colour} x={8} y={8} />
          </svg>
          {word()}
        </li>
      ))}
      {average !== undefined && (
        <li className="flex items-center gap-1.5">
          <svg aria-hidden="true" width="20" height="16">
            <line
              x1="2"
              x2="20"
              y1="8"
              y2="8"
              stroke="var(--green)"
              strokeWidth="2"
              strokeDasharray="2 6"
              strokeLinecap="round"
            />
          </svg>
          {t`Your average`}
        </li>
      )}
    </ul>
  )
}

function summaryOf(marks: readonly ObtainedMark[]): string {
  const shares = marks.map((mark) => mark.percent)
  const [latest] = shares.slice(-1)
  if (latest === undefined || shares.length === 1)
    return t`Marks over time: one mark, ${{ share: percent(latest ?? 0) }}.`
  const [count, last] = [shares.length, percent(latest)]
  const [least, most] = [percent(Math.min(...shares)), percent(Math.max(...shares))]
  return plural(count, {
    one: `Marks over time: ${count} mark from ${least} to ${most}, the latest ${last}.`,
    other: `Marks over time: ${count} marks from ${least} to ${most}, the latest ${last}.`,
  })
}
