import { EmptyState, LinkButton } from '@/components/ui'
import { If, Switch, more, or } from '@/lib/template'
import { listAddress, type ListQuery } from './list-query'

interface NoAssignmentsProps {
  query: ListQuery
  onReset: () => void
}

/** The list is empty: what that means for what was asked, and a first step. */
export function NoAssignments({ query, onReset }: NoAssignmentsProps) {
  const showAll = (
    <button type="button" className="link" onClick={onReset}>
      Show all assignments
    </button>
  )
  const first = (
    <If
      value={or<unknown>(query.search, query.level, more(query.page, 1))}
      otherwise={<LinkButton to="/create-assignment">Create the first one</LinkButton>}
    >
      {showAll}
    </If>
  )
  return (
    <EmptyState message="No assignments available." art="assignments">
      <If value={query.state} otherwise={first}>
        <Switch on={query.state} cases={['open', 'pending', 'graded', 'mine', 'due-soon']}>
          {(state) => state && <NoneOf state={state} />}
        </Switch>
        {showAll}
      </If>
    </EmptyState>
  )
}

const said = {
  open: 'You have taken everything there is here, or created it.',
  pending: 'Nothing that you handed in waits for its mark.',
  graded: 'None of your work here has a mark yet.',
  mine: 'You have created none of these.',
  'due-soon': 'Nothing here is due in the next 14 days.',
}

const steps = {
  open: { to: '/create-assignment', label: 'Create one for others' },
  pending: { to: '/assignments?state=open', label: 'Take one' },
  graded: { to: '/assignments?state=open', label: 'Take one' },
  mine: { to: '/create-assignment', label: 'Create your first one' },
  'due-soon': { to: '/create-assignment', label: 'Create one' },
}

function NoneOf({ state }: { state: keyof typeof said }) {
  const { to, label } = steps[state]
  return (
    <>
      <p className="max-w-prose text-soft">{said[state]}</p>
      <LinkButton to={to}>{label}</LinkButton>
    </>
  )
}

/** A visitor asks for what only users have. */
export function ForUsers({ query }: { query: ListQuery }) {
  return (
    <EmptyState message="This takes an account." art="assignments">
      <p className="max-w-prose text-soft">
        Once you are signed in, the list can show what you took, what you created, and what is left.
      </p>
      <LinkButton to="/auth/login" state={{ from: listAddress(query) }}>
        Login
      </LinkButton>
    </EmptyState>
  )
}
