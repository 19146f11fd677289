import { plural, t } from '@lingui/core/macro'
import { useId } from 'react'
import { useWidth } from '@/lib/use-width'
import { levels } from './levels'
import { LevelShape } from './level-shape'
import { percent } from '@/lib/rounded'
import type { LevelFigures } from '@/entities/progress/queries'

const rowHeight = 62
const barTop = 28
const barHeight = 18

/** The average mark of each level: three bars from nothing to full marks, each with its shape and its own pattern. */
export function LevelsChart({ byLevel }: { byLevel: LevelFigures }) {
  const [ref, width] = useWidth()
  const id = useId()
  const height = rowHeight * levels.length
  return (
    <div ref={ref} style={{ height }}>
      {width > 0 && (
        <svg role="img" aria-label={summaryOf(byLevel)} width={width} height={height} className="text-sm">
          <pattern id={`${id}medium`} width={7} height={7} patternUnits="userSpaceOnUse">
            <rect width={7} height={7} fill="var(--amber)" />
            <path
              d="M0 7 7 0M-1.75 1.75 1.75-1.75M5.25 8.75 8.75 5.25"
              stroke="var(--raised)"
              strokeWidth={1.5}
            />
          </pattern>
          <pattern id={`${id}hard`} width={7} height={7} patternUnits="userSpaceOnUse">
            <rect width={7} height={7} fill="var(--red)" />
            <circle cx={3.5} cy={3.5} r={1.3} fill="var(--raised)" />
          </pattern>
          {levels.map(({ level, word, colour }, i) => {
            const { graded, averagePercent } = byLevel[level]
            const top = i * rowHeight
            return (
              <g key={level}>
                <LevelShape level={level} colour={colour} x={8} y={top + 12} />
                <text x={22} y={top + 17} className="fill-ink font-semibold">
                  {word()}
                </text>
                <text x={width} y={top + 17} textAnchor="end" className="fill-soft tabular-nums">
                  {figuresOf(graded, averagePercent)}
                </text>
                <rect x={0} y={top + barTop} width={width} height={barHeight} rx={4} fill="var(--line)" />
                {averagePercent !== undefined && (
                  <rect
                    x={0}
                    y={top + barTop}
                    width={Math.max((width * averagePercent) / 100, 3)}
                    height={barHeight}
                    rx={4}
                    fill={level === 'easy' ? colour : `url(#${id}${level})`}
                  />
                )}
              </g>
            )
          })}
        </svg>
      )}
    </div>
  )
}

function figuresOf(graded: number, average: number | undefined): string {
  if (average === undefined) return t`no mark yet`
  const share = percent(average)
  return plural(graded, {
    one: `${share} average, ${graded} grade`,
    other: `${share} average, ${graded} grades`,
  })
}

function summaryOf(byLevel: LevelFigures): string {
  const figures = levels.map(({ level, word }) => {
    const { graded, averagePercent } = byLevel[level]
    return t`${{ level: word() }}: ${{ figures: figuresOf(graded, averagePercent) }}`
  })
  return t`Marks by level. ${{ levels: figures.join('; ') }}.`
}
