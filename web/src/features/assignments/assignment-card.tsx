import { AppLink, Button, Card, DueDate, LevelBadge, LinkButton, Thumbnail } from '@/components/ui'
import { useUser } from '@/lib/session'
import type { Assignment } from './api'

interface AssignmentCardProps {
  assignment: Assignment
  /** Above the fold: its picture is fetched at once. */
  eager: boolean
  onDelete: () => void
}

export function AssignmentCard({ assignment, eager, onDelete }: AssignmentCardProps) {
  const user = useUser()
  const { _id: id, title, thumbnail, marks, level, dueDate } = assignment
  const titleId = `title-${id}`
  return (
    <article aria-labelledby={titleId} className="min-w-0">
      <Card lift className="flex h-full flex-col overflow-hidden">
        <Thumbnail src={thumbnail} title={title} eager={eager} className="border-b border-line" />
        <div className="flex grow flex-col gap-3 p-5">
          <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
            <LevelBadge level={level} />
            <span className="text-soft">
              Due <DueDate instant={dueDate} />
            </span>
          </div>
          <h2 id={titleId} dir="auto" className="line-clamp-3 text-lg">
            {title}
          </h2>
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
              className="link inline-flex min-h-9 items-center px-2 text-sm"
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
