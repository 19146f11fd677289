import type { MarkExplanation } from './queries'

type Settlement = MarkExplanation['settlements'][number]

const reasons: Record<Settlement['reason'], string> = {
  'enough-reviews': 'It had the reviews that were asked for',
  time: 'Seven days had passed',
  early: 'The creator settled it early',
  appeal: 'After an appeal',
  reopened: 'Reopened by the creator',
  'set-mark': 'The creator set the mark',
  grade: 'One grade',
}

/** Every mark that it had, with who decided and why. */
export function MarkHistory({ mark: { settlements, total } }: { mark: MarkExplanation }) {
  return (
    <section aria-labelledby="history-heading">
      <h2 id="history-heading">History</h2>
      <ol className="mt-4 grid gap-4">
        {settlements.map(({ n, day, reason, words, mark }) => (
          <li key={n} className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-baseline gap-3">
            <time dateTime={day} className="text-sm text-soft tabular-nums">
              {day.replaceAll('-', '/')}
            </time>
            <div>
              <b className="font-display text-lg tabular-nums">{mark}</b>{' '}
              <span className="text-sm text-soft">of {total}</span>
              <p>
                {reasons[reason]}
                {words ? ': ' : '.'}
                {words && <bdi className="whitespace-pre-line wrap-anywhere">{words}</bdi>}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
