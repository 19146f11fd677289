import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { AppLink, Button, LinkButton } from '@/components/ui'
import { cx } from '@/lib/cx'
import { isOwn } from '@/entities/assignment/own'
import { useUser } from '@/lib/session'
import { AssignmentSheet } from './assignment-sheet'
import type { Assignment } from '@/entities/assignment/queries'

/**
 * Where a card stands. The lead is the newest of all, across the whole row where there are three columns: ten then
 * fill four rows. It and the eager ones are above the fold: their pictures are fetched at once.
 */
export type CardPosition = 'lead' | 'eager' | 'later'

interface AssignmentCardProps {
  assignment: Assignment
  position: CardPosition
  /** Where the viewer stands with it. */
  state: ReactNode
  onDelete: () => void
}

export function AssignmentCard({ assignment, position, state, onDelete }: AssignmentCardProps) {
  const lead = position === 'lead'
  const { _id: id, title, excerpt } = assignment
  const titleId = `title-${id}`
  const heading = (
    <h2 id={titleId} dir="auto" className={cx('line-clamp-3 text-lg', lead && 'lg:text-2xl')}>
      {/* The whole card answers to the pointer. The keyboard has Details, which leads there too. */}
      <AppLink to={`/assignment/${id}`} tabIndex={-1} className="after:absolute after:inset-0">
        {title}
      </AppLink>
    </h2>
  )
  return (
    <article aria-labelledby={titleId} className={cx('min-w-0', lead && 'lg:col-span-3')}>
      <AssignmentSheet
        assignment={assignment}
        heading={heading}
        state={state}
        lead={lead ? (excerpt ?? '') : undefined}
        eager={position !== 'later'}
      >
        <div className="relative flex flex-wrap items-center gap-2 sm:border-t sm:border-line sm:pt-4">
          <LinkButton to={`/assignment/${id}`} size="sm" aria-describedby={titleId}>
            {t`Details`}
          </LinkButton>
          <ForItsCreator assignment={assignment} titleId={titleId} onDelete={onDelete} />
        </div>
      </AssignmentSheet>
    </article>
  )
}

interface ForItsCreatorProps {
  assignment: Assignment
  titleId: string
  onDelete: () => void
}

/**
 * Update and Delete. In the hall all users see them; users other than the creator get a hint before the press. In a
 * circle those see them whom the server allows it.
 */
function ForItsCreator({ assignment, titleId, onDelete }: ForItsCreatorProps) {
  const { _id: id, may } = assignment
  const user = useUser()
  const controls = (reason?: string) => (
    <>
      <AppLink
        to={user ? `/assignment/update/${id}` : '/auth/login'}
        state={user ? undefined : { from: `/assignment/update/${id}` }}
        aria-describedby={titleId}
        title={reason}
        className={cx(
          'inline-flex min-h-11 items-center px-2 text-sm font-semibold md:min-h-9',
          reason ? 'text-soft' : 'link',
        )}
      >
        {t`Update`}
      </AppLink>
      <Button
        variant="plain"
        size="sm"
        aria-describedby={titleId}
        title={reason}
        onClick={onDelete}
        className={cx('ms-auto', reason ? 'text-soft' : 'text-red')}
      >
        {t`Delete`}
      </Button>
    </>
  )
  if (!user) return controls()
  if (may) return may.change && controls()
  return isOwn(assignment, user) ? controls() : controls(t`Only its creator can do this`)
}
