import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { NavigationType, useNavigate, useNavigationType } from 'react-router'
import { EmptyState, ErrorState, LinkButton, Loading, Pages, RefreshFailed } from '@/components/ui'
import { explain } from '@/lib/problem'
import { usuallyFreshMs } from '@/lib/query'
import { If, Switch, format, more, or } from '@/lib/template'
import { useHydrated } from '@/lib/use-hydrated'
import { useRedirectPastEnd } from '@/lib/use-redirect-past-end'
import { AssignmentCard, type CardPlace } from './assignment-card'
import { ListFilters } from './list-filters'
import { listAddress, type ListQuery } from './list-query'
import { listQuery, type Assignment } from './queries'
import { useDelete } from './use-delete'

/** What was fetched on the way to the list is not asked for again. */
const freshOnArrivalMs = 2_000

/** All assignments, ten a page. The query comes from the address and goes back there. */
export function AssignmentListView({ query }: { query: ListQuery }) {
  const navigate = useNavigate()
  const heading = useRef<HTMLHeadingElement>(null)
  // Going back shows what was there; coming anew asks whether there is more.
  const staleTime = useNavigationType() === NavigationType.Pop ? usuallyFreshMs : freshOnArrivalMs
  const { data, error, isPending, refetch } = useQuery({ ...listQuery(query), staleTime })
  const client = useQueryClient()
  const retry = () => void refetch()
  const go = (next: ListQuery) => void navigate(listAddress(next))

  function turnTo(page: number) {
    go({ ...query, page })
    heading.current?.focus()
  }
  const leadingOn = useRedirectPastEnd(query.page, data?.pagination.totalPages)
  // Numbers, and the pen's circle around one, are left to the script; the first HTML keeps their place.
  const hydrated = useHydrated()

  return (
    <div className="page">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 ref={heading} tabIndex={-1}>
          All Assignments
        </h1>
        <LinkButton to="/create-assignment" variant="quiet">
          New assignment
        </LinkButton>
      </div>
      <ListFilters query={query} onChange={go} />
      {/* Keeps its place while the next page loads, so that nothing jumps. */}
      <div className="min-h-[70vh]">
        {(isPending || leadingOn) && <Loading label="Loading assignments" fillsScreen />}
        {error && !data && <ErrorState message={explain(error)} onRetry={retry} />}
        <RefreshFailed error={data && error} onRetry={retry} />
        {data && !leadingOn && (
          <Cards assignments={data.data} query={query} onReset={() => void navigate('/assignments')} />
        )}
        <If value={data?.pagination.totalPages}>
          {(totalPages) => (
            <div className="mt-8 min-h-11">
              {hydrated && (
                <Pages
                  page={query.page}
                  totalPages={totalPages}
                  onPage={turnTo}
                  onIntent={(page) => void client.prefetchQuery(listQuery({ ...query, page }))}
                />
              )}
            </div>
          )}
        </If>
      </div>
    </div>
  )
}

/** A card that would stand alone in the last of three columns leads; the first row is above the fold. */
const placeOf = format('place', (index: number, count: number): CardPlace => {
  if (index === 0 && count % 3 === 1 && count > 1) return 'lead'
  return index < 3 ? 'eager' : 'later'
})

interface CardsProps {
  assignments: Assignment[]
  query: ListQuery
  onReset: () => void
}

function Cards({ assignments, query, onReset }: CardsProps) {
  const remove = useDelete()
  const list = useRef<HTMLDivElement>(null)

  /** Focus moves to the card that took the removed one's place, or to the heading after the last one. */
  async function removeAt(index: number) {
    const assignment = assignments[index]
    if (!assignment || !(await remove(assignment))) return
    const next = list.current?.querySelectorAll<HTMLElement>('article a')
    const target = next?.[index * 2] ?? document.querySelector<HTMLElement>('h1')
    target?.focus()
  }

  const none = (
    <EmptyState message="No assignments available." art="assignments">
      <If
        value={or<unknown>(query.search, query.level, more(query.page, 1))}
        otherwise={<LinkButton to="/create-assignment">Create the first one</LinkButton>}
      >
        <button type="button" className="link" onClick={onReset}>
          Show all assignments
        </button>
      </If>
    </EmptyState>
  )
  return (
    <If value={assignments.length} otherwise={none}>
      <div ref={list} className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        {assignments.map((assignment, index) => (
          <Switch
            key={assignment._id}
            on={placeOf(index, assignments.length)}
            cases={['lead', 'eager', 'later']}
          >
            {(place) => (
              <AssignmentCard assignment={assignment} place={place} onDelete={() => void removeAt(index)} />
            )}
          </Switch>
        ))}
      </div>
    </If>
  )
}
