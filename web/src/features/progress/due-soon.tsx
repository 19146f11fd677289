import { t } from '@lingui/core/macro'
import { useId, useRef, useState } from 'react'
import { AppLink, Button, DueDate } from '@/components/ui'
import { cx } from '@/lib/cx'
import type { Dashboard } from '@/entities/progress/queries'
import { Blank, FirstStep, Region } from './region'
import { RemindSwitch } from './remind-switch'
import { StateBadge } from './state-badge'
import { useKept } from './use-kept'

type Due = Dashboard['due'][number]

/** Rows that show at first; their room is theirs before they are known. */
const atFirst = 3

/** Due in the next 14 days: assignments that the user is reminded of or has handed in for. */
export function DueSoon({ due, className }: { due: Due[] | undefined; className: string }) {
  const id = useId()
  const [all, setAll] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const { rows, keep } = useKept(due)
  if (rows?.length === 0) {
    return (
      <Region title={t`Due soon`} className={className}>
        <FirstStep
          text={t`Nothing you handed in or wanted to be reminded of is due in the next 14 days.`}
          to="/assignments?state=due-soon"
          label={t`See what is due soon`}
        />
      </Region>
    )
  }
  function showAll() {
    setAll(true)
    // The button is gone: focus moves to the first new row.
    requestAnimationFrame(() => list.current?.querySelectorAll('a')[atFirst]?.focus())
  }
  return (
    <Region
      title={t`Due soon`}
      className={className}
      more={
        <span id={id} className="text-sm text-soft">
          {t`Remind me`}
        </span>
      }
    >
      <ul
        ref={list}
        className={cx(
          'mt-2 *:border-b *:border-line *:last:border-b-0',
          // Beside another region the room stays; below it, where few rows come, it would be a hole.
          rows ? 'md:min-h-51' : 'min-h-51',
        )}
      >
        {rows
          ? rows
              .slice(0, all ? undefined : atFirst)
              .map((row) => (
                <DueRow key={row.assignmentId} due={row} onSwitch={(remind) => keep({ ...row, remind })} />
              ))
          : Array.from({ length: atFirst }, (_, i) => <BlankRow key={i} />)}
        {rows && rows.length < atFirst && (
          <li className="max-w-72 py-4 text-sm text-soft">
            {t`Turn on Remind me for an assignment, and it appears here.`}
          </li>
        )}
      </ul>
      {/* Its room, too, is there before it. */}
      <div className="mt-auto flex min-h-11 flex-wrap items-center justify-between gap-x-4 md:min-h-9">
        <AppLink to="/assignments?state=due-soon" className="link text-sm">
          {t`What else is due`}
        </AppLink>
        {rows && rows.length > atFirst && !all && (
          <Button variant="plain" size="sm" className="-me-3" onClick={showAll}>
            {t`Show all ${{ count: rows.length }}`}
          </Button>
        )}
      </div>
    </Region>
  )
}

function DueRow({ due, onSwitch }: { due: Due; onSwitch: (remind: boolean) => void }) {
  const { assignmentId, title, dueDate, state, remind } = due
  const id = useId()
  return (
    <li className="flex min-h-17 items-center gap-4 py-2">
      <div className="min-w-0 grow">
        <AppLink
          to={`/assignment/${assignmentId}`}
          id={id}
          className="block truncate leading-6 font-semibold hover:underline"
        >
          <bdi>{title}</bdi>
        </AppLink>
        <div className="flex flex-wrap items-center gap-x-3 text-sm">
          <DueDate instant={dueDate} />
          <StateBadge state={state} />
        </div>
      </div>
      <RemindSwitch
        assignmentId={assignmentId}
        remind={remind}
        labelHidden
        describedBy={id}
        onSwitch={onSwitch}
      />
    </li>
  )
}

const BlankRow = () => (
  <li className="flex h-17 flex-col justify-center gap-2">
    <Blank className="h-4 w-3/5" />
    <Blank className="h-3 w-2/5" />
  </li>
)
