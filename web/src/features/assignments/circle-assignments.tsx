import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { AppLink, EmptyState, LinkButton } from '@/components/ui'
import { FilteredAssignments, usePublication, type StateOf } from './assignment-list'
import { listAddress, type ListQuery } from '@/entities/assignment/list-query'
import { Published, type Asks } from './published'

interface CircleAssignmentsProps {
  query: ListQuery
  circle: string
  stateOf: StateOf
  mayPublish: boolean
  asks: Asks
}

/** The assignments of a circle, as a part of its page. */
export function CircleAssignments({ query, circle, stateOf, mayPublish, asks }: CircleAssignmentsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const published = usePublication()
  const all = `/circle/${circle}`
  const isFiltered = listAddress({ ...query, page: 1 }, circle) !== all
  const creation = mayPublish ? `/create-assignment?circle=${circle}` : null
  return (
    <section aria-labelledby="assignments-heading">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="assignments-heading" ref={heading} tabIndex={-1}>
          {t`Assignments`}
        </h2>
        {creation && (
          <LinkButton to={creation} variant="quiet">
            {t`New assignment`}
          </LinkButton>
        )}
      </div>
      {published && <Published key={published.id} published={published} circle={circle} asks={asks} />}
      <FilteredAssignments
        query={query}
        circle={circle}
        stateOf={stateOf}
        heading={heading}
        empty={
          <EmptyState
            message={isFiltered ? t`No assignments match.` : t`No assignments here yet.`}
            art="assignments"
          >
            {isFiltered ? (
              <AppLink to={all} preventScrollReset className="link">
                {t`Show all assignments`}
              </AppLink>
            ) : creation ? (
              <LinkButton to={creation}>{t`Create the first one`}</LinkButton>
            ) : (
              <p className="max-w-prose text-soft">{t`Organizers publish them. New ones appear here at once.`}</p>
            )}
          </EmptyState>
        }
      />
    </section>
  )
}
