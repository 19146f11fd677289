import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { AppLink, Badge } from '@/components/ui'
import { ago } from '@/lib/ago'
import { dayText, type Turn } from '@/entities/review/your-turn'
import { turnOf, type Dashboard } from '@/entities/progress/queries'
import { Blank, FirstStep, Region } from './region'

type Waiting = Dashboard['waiting'][number]

/** The number that the server reports. */
const atMost = 5

/** The submissions that have waited longest and that the user may grade. */
export function WaitingForGrade({
  waiting,
  className,
}: {
  waiting: Waiting[] | undefined
  className: string
}) {
  if (waiting?.length === 0) {
    return (
      <Region title={t`Waiting for a grade`} className={className}>
        <FirstStep
          text={t`There is nothing for you to grade or review now. A new assignment brings new work to read.`}
          to="/create-assignment"
          label={t`Create an assignment`}
        />
      </Region>
    )
  }
  const more = (
    <AppLink to="/pending-assignments" className="link text-sm">
      {t`All`}
    </AppLink>
  )
  return (
    <Region title={t`Waiting for a grade`} more={more} className={className}>
      <ul className="mt-2 min-h-85 *:border-b *:border-line *:last:border-b-0">
        {waiting
          ? waiting.map((row) => <WaitingRow key={row.submissionId ?? row.assignmentTitle} waiting={row} />)
          : Array.from({ length: atMost }, (_, i) => <BlankRow key={i} />)}
      </ul>
    </Region>
  )
}

function WaitingRow({ waiting }: { waiting: Waiting }) {
  const { submissionId, assignmentId, assignmentTitle, submittedAt, marks, late } = waiting
  const turn = turnOf(waiting)
  const when = submittedAt && ago(submittedAt)
  return (
    <li className="relative flex h-17 min-w-0 flex-col justify-center">
      <AppLink
        to="/pending-assignments"
        state={submissionId ? { mark: submissionId } : { review: assignmentId }}
        className="block truncate leading-6 font-semibold after:absolute after:inset-0 hover:underline"
      >
        <bdi>{assignmentTitle || t`Untitled`}</bdi>
      </AppLink>
      <p className="flex min-w-0 items-center gap-x-3 text-sm whitespace-nowrap text-soft">
        {turn && <span className="truncate">{turnLine(turn)}</span>}
        {when && (
          <span>
            <Trans>
              <span className="max-sm:sr-only">Handed in </span>
              {when}
            </Trans>
          </span>
        )}
        {!turn && (
          <span className="tabular-nums">
            {plural(marks, { one: `${marks} mark`, other: `${marks} marks` })}
          </span>
        )}
        {late && <Badge tone="warning">{t`Late`}</Badge>}
      </p>
    </li>
  )
}

function turnLine({ given, owed, by }: Turn): string {
  if (owed === 0) return t`Work to review`
  const total = given + owed
  return by
    ? t`Your turn: ${owed} by ${{ day: dayText(by) }}, ${given} of ${total} given`
    : t`Your turn: ${owed}, ${given} of ${total} given`
}

const BlankRow = () => (
  <li className="flex h-17 flex-col justify-center gap-2">
    <Blank className="h-4 w-3/5" />
    <Blank className="h-3 w-2/5" />
  </li>
)
