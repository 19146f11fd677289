import { t } from '@lingui/core/macro'
import { EmptyState, LinkButton } from '@/components/ui'
import { listAddress, type ListQuery } from '@/entities/assignment/list-query'

interface NoAssignmentsProps {
  query: ListQuery
  onReset: () => void
}

/** Explains an empty list, with a first step. */
export function NoAssignments({ query, onReset }: NoAssignmentsProps) {
  const showAll = (
    <button type="button" className="link" onClick={onReset}>
      {t`Show all assignments`}
    </button>
  )
  const first =
    query.search || query.level || query.page > 1 ? (
      showAll
    ) : (
      <LinkButton to="/create-assignment">{t`Create the first one`}</LinkButton>
    )
  return (
    <EmptyState message={t`No assignments available.`} art="assignments">
      {query.state ? (
        <>
          <NoneOf state={query.state} />
          {showAll}
        </>
      ) : (
        first
      )}
    </EmptyState>
  )
}

const sentences = () => ({
  open: t`You have taken or created every assignment here.`,
  pending: t`None of your submissions is waiting for a mark.`,
  graded: t`None of your work here has a mark yet.`,
  mine: t`You have created none of these.`,
  'due-soon': t`Nothing here is due in the next 14 days.`,
})

const steps = () => ({
  open: <LinkButton to="/create-assignment">{t`Create one for others`}</LinkButton>,
  pending: <LinkButton to="/assignments?state=open">{t`Take one`}</LinkButton>,
  graded: <LinkButton to="/assignments?state=open">{t`Take one`}</LinkButton>,
  mine: <LinkButton to="/create-assignment">{t`Create your first one`}</LinkButton>,
  'due-soon': <LinkButton to="/create-assignment">{t`Create one`}</LinkButton>,
})

function NoneOf({ state }: { state: keyof ReturnType<typeof sentences> }) {
  return (
    <>
      <p className="max-w-prose text-soft">{sentences()[state]}</p>
      {steps()[state]}
    </>
  )
}

/** A visitor asks for what only users have. */
export function ForUsers({ query }: { query: ListQuery }) {
  return (
    <EmptyState message={t`Sign in to use this filter.`} art="assignments">
      <p className="max-w-prose text-soft">
        {t`Once you are signed in, the list can show what you took, what you created, and what is left.`}
      </p>
      <LinkButton to="/auth/login" state={{ from: listAddress(query) }}>
        {t`Sign in`}
      </LinkButton>
    </EmptyState>
  )
}
