import { AppLink, Button, Card, DueDate, LevelBadge, LinkButton, Thumbnail } from '@/components/ui'
import { cx } from '@/lib/cx'
import { useUser } from '@/lib/session'
import type { Assignment } from './queries'

/**
 * Where a card stands. The lead is the newest of all, across the whole row where there are three columns: ten then
 * fill four rows. It and the eager ones are above the fold: their pictures are fetched at once.
 */
export type CardPlace = 'lead' | 'eager' | 'later'

interface AssignmentCardProps {
  assignment: Assignment
  place: CardPlace
  onDelete: () => void
}

export function AssignmentCard({ assignment, place, onDelete }: AssignmentCardProps) {
  const user = useUser()
  const lead = place === 'lead'
  const { _id: id, title, thumbnail, marks, level, dueDate } = assignment
  const titleId = `title-${id}`
  return (
    <article aria-labelledby={titleId} className={cx('min-w-0', lead && 'lg:col-span-3')}>
      <Card lift className={cx('flex h-full flex-col overflow-hidden', lead && 'lg:flex-row')}>
        <Thumbnail
          src={thumbnail}
          title={title}
          eager={place !== 'later'}
          className={cx('border-b border-line', lead && 'lg:w-7/12 lg:shrink-0 lg:border-e lg:border-b-0')}
        />
        <div className={cx('flex min-w-0 grow flex-col gap-3 p-5', lead && 'lg:p-8')}>
          <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
            <LevelBadge level={level} />
            <span className="text-soft">
              Due <DueDate instant={dueDate} />
            </span>
          </div>
          <h2 id={titleId} dir="auto" className={cx('line-clamp-3 text-lg', lead && 'lg:text-2xl')}>
            {title}
          </h2>
          {lead && (
            <p dir="auto" className="line-clamp-4 text-soft max-lg:hidden">
              {assignment.description}
            </p>
          )}
          <p className="mt-auto text-sm text-soft">
            <span className="font-display text-lg font-bold text-ink tabular-nums">{marks}</span> marks
          </p>
          <div className="flex flex-wrap items-center gap-2 border-t border-line pt-4">
            <LinkButton to={`/assignment/${id}`} size="sm" aria-describedby={titleId}>
              Details
            </LinkButton>
            <AppLink
              to={user ? `/assignment/update/${id}` : '/auth/login'}
              state={user ? undefined : { from: `/assignment/update/${id}` }}
              aria-describedby={titleId}
              className="link inline-flex min-h-11 items-center md:min-h-9 px-2 text-sm"
            >
              Update
            </AppLink>
            <Button
              variant="plain"
              size="sm"
              aria-describedby={titleId}
              onClick={onDelete}
              className="ms-auto text-red"
            >
              Delete
            </Button>
          </div>
        </div>
      </Card>
    </article>
  )
}
