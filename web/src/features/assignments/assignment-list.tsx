import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router'
import { Button, EmptyState, ErrorState, LinkButton, Loading, Pages, RefreshFailed } from '@/components/ui'
import { explain } from '@/lib/problem'
import { usuallyFreshMs } from '@/lib/query'
import { useUser } from '@/lib/session'
import { If, Switch, format, more, or } from '@/lib/template'
import { useHydrated } from '@/lib/use-hydrated'
import { useRedirectPastEnd } from '@/lib/use-redirect-past-end'
import { AssignmentCard, type CardPlace } from './assignment-card'
import { ListFilters } from './list-filters'
import { listAddress, type ListQuery } from './list-query'
import { Published, publicationOf } from './published'
import { listQuery, type Assignment } from './queries'
import { useDelete } from './use-delete'
import { useNewcomers } from './use-newcomers'

/** What was fetched on the way to the list is not asked for again. */
const freshOnArrivalMs = 2_000

/** All assignments, ten a page. The query comes from the address and goes back there. */
export function AssignmentListView({ query }: { query: ListQuery }) {
  const navigate = useNavigate()
  const heading = useRef<HTMLHeadingElement>(null)
  // Going back shows what was there; coming anew asks whether there is more.
  const back = useNavigationType() === NavigationType.Pop
  const staleTime = back ? usuallyFreshMs : freshOnArrivalMs
  const { data, error, isPending, isFetching, refetch } = useQuery({ ...listQuery(query), staleTime })
  const user = useUser()
  const client = useQueryClient()
  const retry = () => void refetch()
  const go = (next: ListQuery) => void navigate(listAddress(next))

  function turnTo(page: number) {
    if (page !== query.page) go({ ...query, page })
    heading.current?.focus()
  }
  // Said on arrival; who comes back to it, or reloads, knows it.
  const { state } = useLocation()
  const published = back ? null : publicationOf(state)
  const leadingOn = useRedirectPastEnd(query.page, data?.pagination.totalPages)
  // Numbers, and the pen's circle around one, are left to the script; the first HTML keeps their place.
  const hydrated = useHydrated()

  return (
    <div className="page">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 ref={heading} tabIndex={-1}>
          All Assignments
        </h1>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {!user && <span className="text-sm text-soft">Have one in mind? It takes an account.</span>}
          <LinkButton to="/create-assignment" variant="quiet">
            New assignment
          </LinkButton>
        </div>
      </div>
      {published && <Published key={published.id} {...published} />}
      <ListFilters query={query} onChange={go} />
      {/* Keeps its place while the next page loads, so that nothing jumps. */}
      <div className="min-h-[70vh]">
        {(isPending || leadingOn) && <Loading label="Loading assignments" fillsScreen />}
        {error && !data && <ErrorState message={explain(error)} onRetry={retry} />}
        <RefreshFailed error={data && error} onRetry={retry} />
        {data && !leadingOn && (
          <Cards
            latest={data.data}
            settled={hydrated && !isFetching}
            query={query}
            onReset={() => void navigate('/assignments')}
            // On a later page there are none of them.
            onReveal={() => turnTo(1)}
          />
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

/**
 * On the first page, a card leads where one would stand alone in the last of three columns; the first row is above
 * the fold.
 */
const placeOf = format('place', (index: number, count: number, page: number): CardPlace => {
  if (index === 0 && page === 1 && count % 3 === 1 && count > 1) return 'lead'
  return index < 3 ? 'eager' : 'later'
})

interface CardsProps {
  latest: Assignment[]
  /** What was asked for on arrival is there. */
  settled: boolean
  query: ListQuery
  onReset: () => void
  /** What came in is shown: the button that did it goes. */
  onReveal: () => void
}

function Cards({ latest, settled, query, onReset, onReveal }: CardsProps) {
  const remove = useDelete()
  const { shown: assignments, count, reveal } = useNewcomers(listAddress(query), latest, settled)
  const list = useRef<HTMLDivElement>(null)

  /** Focus moves to the card that took the removed one's place, or to the heading after the last one. */
  async function removeAt(index: number) {
    const assignment = assignments[index]
    if (!assignment || !(await remove(assignment))) return
    const next = list.current?.querySelectorAll('article')[index]
    const target =
      next?.querySelector<HTMLElement>('a:not([tabindex])') ?? document.querySelector<HTMLElement>('h1')
    target?.focus()
  }

  function showNew() {
    reveal()
    onReveal()
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
      {/* Lies over the cards: it moves none of them when it comes. */}
      <div role="status" className="sticky top-3 z-1 grid h-0 justify-items-center">
        {count > 0 && (
          <Button size="sm" className="h-9 shadow-lift" onClick={showNew}>
            {count} new
          </Button>
        )}
      </div>
      <div ref={list} className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        {assignments.map((assignment, index) => (
          <Switch
            key={assignment._id}
            on={placeOf(index, assignments.length, query.page)}
            cases={['later', 'eager', 'lead']}
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
