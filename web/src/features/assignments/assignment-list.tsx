import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, type ReactNode, type RefObject } from 'react'
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router'
import { LinkButton, ListPage, NewRows } from '@/components/ui'
import { usuallyFreshMs } from '@/lib/query'
import { queryClient } from '@/lib/query-client'
import { useUser, userEmail } from '@/lib/session'
import { useNewcomers, type RowFacts } from '@/lib/use-newcomers'
import { AssignmentCard, type CardPosition } from './assignment-card'
import { ListFilters } from './list-filters'
import { isPersonal, listAddress, type ListQuery } from '@/entities/assignment/list-query'
import { ForUsers, NoAssignments } from './no-assignments'
import { Published, publicationOf, type Asks, type Publication } from './published'
import { assignmentKeys, listQuery, pageSize, type Assignment } from '@/entities/assignment/queries'
import { useDelete } from './use-delete'

/** Answers that were fetched on the way to the list are not fetched again. */
const freshOnArrivalMs = 2_000

interface AssignmentListViewProps {
  query: ListQuery
  stateOf: StateOf
}

/** Shows where the viewer stands with an assignment, one of those that are on the screen. */
export type StateOf = (assignment: Assignment, ids: readonly string[]) => ReactNode

/** All assignments of the hall. The query comes from the address and goes back there. */
export function AssignmentListView({ query, stateOf, asks }: AssignmentListViewProps & { asks: Asks }) {
  const navigate = useNavigate()
  const heading = useRef<HTMLHeadingElement>(null)
  const user = useUser()
  const published = usePublication()
  return (
    <div className="page">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 ref={heading} tabIndex={-1}>
          {t`All Assignments`}
        </h1>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {!user && <span className="text-sm text-soft">{t`Have one in mind? Sign in to post one.`}</span>}
          <LinkButton to="/create-assignment" variant="quiet">
            {t`New assignment`}
          </LinkButton>
        </div>
      </div>
      {published && <Published key={published.id} published={published} asks={asks} />}
      <FilteredAssignments
        query={query}
        stateOf={stateOf}
        heading={heading}
        empty={<NoAssignments query={query} onReset={() => void navigate('/assignments')} />}
      />
    </div>
  )
}

/** The assignment just created. Said on arrival: a user who comes back to the list, or reloads it, knows of it. */
export function usePublication(): Publication | null {
  const back = useNavigationType() === NavigationType.Pop
  const { state } = useLocation()
  return back ? null : publicationOf(state)
}

interface FilteredAssignmentsProps extends AssignmentListViewProps {
  /** The circle whose assignments they are; absent for those of the hall. */
  circle?: string
  /** Gets the focus when the page is turned. */
  heading: RefObject<HTMLHeadingElement | null>
  /** Instead of a list without assignments. */
  empty: ReactNode
}

/** The assignments of the hall or of a circle, ten a page, with their filters. */
export function FilteredAssignments({ query, circle, stateOf, heading, empty }: FilteredAssignmentsProps) {
  const navigate = useNavigate()
  // Back shows the list as it was; a new visit refetches it.
  const back = useNavigationType() === NavigationType.Pop
  const staleTime = back ? usuallyFreshMs : freshOnArrivalMs
  const user = useUser()
  const forUsers = !user && isPersonal(query.state)
  const list = useQuery({
    ...listQuery(query, circle),
    staleTime,
    enabled: () => !forUsers,
  })
  const client = useQueryClient()
  const go = (next: ListQuery) =>
    void navigate(listAddress(next, circle), { preventScrollReset: circle !== undefined })

  /** On a later page there are none of them. */
  function showFirst() {
    if (query.page > 1) go({ ...query, page: 1 })
    heading.current?.focus()
  }

  return (
    <>
      <ListFilters query={query} onChange={go} />
      {/* Keeps its place while the next page loads, so that nothing jumps. */}
      <div className="min-h-[70vh]">
        {forUsers && <ForUsers query={query} />}
        <ListPage
          list={list}
          totalPages={list.data?.pagination.totalPages}
          idle={forUsers}
          loading={t`Loading assignments`}
          fillsScreen
          heading={heading}
          part={circle !== undefined}
          ahead={(page) => client.prefetchQuery(listQuery({ ...query, page }, circle))}
        >
          {({ data }) => (
            <Cards
              latest={data}
              settled={!list.isFetching}
              query={query}
              stateOf={stateOf}
              empty={empty}
              onReveal={showFirst}
            />
          )}
        </ListPage>
      </div>
    </>
  )
}

/**
 * On the first page, a card leads where one would stand alone in the last of three columns; the first row is above
 * the fold.
 */
function positionOf(index: number, count: number, page: number): CardPosition {
  if (index === 0 && page === 1 && count % 3 === 1 && count > 1) return 'lead'
  return index < 3 ? 'eager' : 'later'
}

const facts: RowFacts<Assignment> = {
  cameAt: ({ createdAt }) => createdAt,
  isOwn: ({ creatorEmail, mine = false }) => mine || creatorEmail === userEmail(),
  isDeleted: ({ _id }) => queryClient.getQueryData(assignmentKeys.one(_id)) === null,
  pageSize,
}

interface CardsProps {
  latest: Assignment[]
  /** The list asked for on arrival is there. */
  settled: boolean
  query: ListQuery
  stateOf: StateOf
  empty: ReactNode
  /** New rows are shown, and their button goes. */
  onReveal: () => void
}

function Cards({ latest, settled, query, stateOf, empty, onReveal }: CardsProps) {
  const remove = useDelete()
  const { shown: assignments, count, reveal } = useNewcomers(listAddress(query), latest, settled, facts)
  const list = useRef<HTMLDivElement>(null)
  const ids = assignments.map(({ _id }) => _id)

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

  return assignments.length > 0 ? (
    <>
      <NewRows count={count} onShow={showNew} />
      <div ref={list} className="assignments grid gap-3 sm:grid-cols-2 sm:gap-6 lg:grid-cols-3">
        {assignments.map((assignment, index) => (
          <AssignmentCard
            key={assignment._id}
            assignment={assignment}
            position={positionOf(index, assignments.length, query.page)}
            state={stateOf(assignment, ids)}
            onDelete={() => void removeAt(index)}
          />
        ))}
      </div>
    </>
  ) : (
    empty
  )
}
