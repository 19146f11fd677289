import { useParentSize } from '@visx/responsive'
import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import type { ResultSummary } from './results-query'

const height = 180
const room = { top: 22, bottom: 24 }

/** How many marks lie in each tenth of the total. */
export function DistributionChart({ tenths }: { tenths: ResultSummary['distribution'] }) {
  const { parentRef, width } = useParentSize({ debounceTime: 0 })
  const x = scaleBand({ domain: tenths.map(({ from }) => from), range: [0, width], padding: 0.15 })
  const most = Math.max(1, ...tenths.map(({ count }) => count))
  const y = scaleLinear({ domain: [0, most], range: [0, height - room.top - room.bottom] })
  const bottom = height - room.bottom
  return (
    <div ref={parentRef} style={{ height }}>
      {width > 0 && (
        <svg role="img" aria-label={summaryOf(tenths)} width={width} height={height} className="text-xs">
          {tenths.map(({ from, count }) => {
            const left = x(from) ?? 0
            const middle = left + x.bandwidth() / 2
            return (
              <g key={from}>
                <Bar
                  x={left}
                  y={bottom - Math.max(y(count), 2)}
                  width={x.bandwidth()}
                  height={Math.max(y(count), 2)}
                  rx={3}
                  fill={count > 0 ? 'var(--green)' : 'var(--line)'}
                />
                {count > 0 && (
                  <text
                    x={middle}
                    y={bottom - y(count) - 6}
                    textAnchor="middle"
                    className="fill-ink font-semibold tabular-nums"
                  >
                    {count}
                  </text>
                )}
                <text x={middle} y={height - 6} textAnchor="middle" className="fill-soft tabular-nums">
                  {from}
                </text>
              </g>
            )
          })}
        </svg>
      )}
    </div>
  )
}

function summaryOf(tenths: ResultSummary['distribution']): string {
  const said = tenths
    .filter(({ count }) => count > 0)
    .map(({ from, to, count }) => `${from} to ${to}%: ${count}`)
  return `Distribution of marks. ${said.join('; ')}.`
}
