import { t } from '@lingui/core/macro'
import { useWidth } from '@/lib/use-width'
import type { ResultSummary } from '@/entities/result/queries'

const height = 180
const room = { top: 22, bottom: 24 }

/** How many marks lie in each tenth of the total. */
export function DistributionChart({ tenths }: { tenths: ResultSummary['distribution'] }) {
  const [ref, width] = useWidth()
  const most = Math.max(1, ...tenths.map(({ count }) => count))
  const bottom = height - room.bottom
  const step = width / tenths.length
  const bar = step * 0.85
  return (
    <div ref={ref} style={{ height }}>
      {width > 0 && (
        <svg role="img" aria-label={summaryOf(tenths)} width={width} height={height} className="text-xs">
          {tenths.map(({ from, count }, i) => {
            const middle = step * (i + 0.5)
            const tall = ((bottom - room.top) * count) / most
            return (
              <g key={from}>
                <rect
                  x={middle - bar / 2}
                  y={bottom - Math.max(tall, 2)}
                  width={bar}
                  height={Math.max(tall, 2)}
                  rx={3}
                  fill={count > 0 ? 'var(--green)' : 'var(--line)'}
                />
                {count > 0 && (
                  <text
                    x={middle}
                    y={bottom - tall - 6}
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
    .map(({ from, to, count }) => t`${from} to ${to}%: ${count}`)
  return t`Distribution of marks. ${{ shares: said.join('; ') }}.`
}
