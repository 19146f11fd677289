import { useRef } from 'react'
import { AppLink, EmptyState } from '@/components/ui'
import { FilteredAssignments, type StateOf } from './assignment-list'
import { listAddress, type ListQuery } from './list-query'

interface CircleAssignmentsProps {
  query: ListQuery
  circle: string
  stateOf: StateOf
}

/** The assignments of a circle, as a part of its page. */
export function CircleAssignments({ query, circle, stateOf }: CircleAssignmentsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const all = `/circle/${circle}`
  const isFiltered = listAddress({ ...query, page: 1 }, circle) !== all
  return (
    <section aria-labelledby="assignments-heading">
      <h2 id="assignments-heading" ref={heading} tabIndex={-1}>
        Assignments
      </h2>
      <FilteredAssignments
        query={query}
        circle={circle}
        stateOf={stateOf}
        heading={heading}
        empty={
          <EmptyState
            message={isFiltered ? 'No assignments match.' : 'No assignments here yet.'}
            art="assignments"
          >
            {isFiltered ? (
              <AppLink to={all} preventScrollReset className="link">
                Show all assignments
              </AppLink>
            ) : (
              <p className="max-w-prose text-soft">A new one shows up here at once.</p>
            )}
          </EmptyState>
        }
      />
    </section>
  )
}
