import { PatternCircles, PatternLines } from '@visx/pattern'
import { useParentSize } from '@visx/responsive'
import { scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { useId } from 'react'
import { levels } from './levels'
import { LevelShape } from './level-shape'
import { percent } from './percent'
import type { LevelFigures } from './queries'

const rowHeight = 62
const barTop = 28
const barHeight = 18

/** The average mark of each level: three bars from nothing to full marks, each with its shape and its own pattern. */
export function LevelsChart({ byLevel }: { byLevel: LevelFigures }) {
  const { parentRef, width } = useParentSize({ debounceTime: 0 })
  const id = useId()
  const x = scaleLinear({ domain: [0, 100], range: [0, width] })
  const height = rowHeight * levels.length
  return (
    <div ref={parentRef} style={{ height }}>
      {width > 0 && (
        <svg role="img" aria-label={summaryOf(byLevel)} width={width} height={height} className="text-sm">
          <PatternLines
            id={`${id}medium`}
            width={7}
            height={7}
            stroke="var(--raised)"
            strokeWidth={1.5}
            orientation={['diagonal']}
            background="var(--amber)"
          />
          <PatternCircles
            id={`${id}hard`}
            width={7}
            height={7}
            radius={1.3}
            fill="var(--raised)"
            background="var(--red)"
          />
          {levels.map(({ level, word, colour }, i) => {
            const { graded, averagePercent } = byLevel[level]
            const top = i * rowHeight
            return (
              <g key={level}>
                <LevelShape level={level} colour={colour} x={8} y={top + 12} />
                <text x={22} y={top + 17} className="fill-ink font-semibold">
                  {word}
                </text>
                <text x={width} y={top + 17} textAnchor="end" className="fill-soft tabular-nums">
                  {averagePercent === undefined
                    ? 'no mark yet'
                    : `${percent(averagePercent)} average, ${countOf(graded)}`}
                </text>
                <Bar x={0} y={top + barTop} width={width} height={barHeight} rx={4} fill="var(--line)" />
                {averagePercent !== undefined && (
                  <Bar
                    x={0}
                    y={top + barTop}
                    width={Math.max(x(averagePercent), 3)}
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

const countOf = (graded: number) => (graded === 1 ? '1 grade' : `${graded} grades`)

function summaryOf(byLevel: LevelFigures): string {
  const said = levels.map(({ level, word }) => {
    const { graded, averagePercent } = byLevel[level]
    return averagePercent === undefined
      ? `${word}: no mark yet`
      : `${word}: ${percent(averagePercent)} average, ${countOf(graded)}`
  })
  return `Marks by level. ${said.join('; ')}.`
}
