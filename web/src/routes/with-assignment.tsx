import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { ErrorState, Loading, RefreshFailed } from '@/components/ui'
import { assignmentQuery, type Assignment } from '@/entities/assignment/queries'
import { explain } from '@/lib/problem'

interface WithAssignmentProps {
  children: (assignment: Assignment) => ReactNode
  /** Another query of the assignment than the reader's own. */
  query?: (id: string) => ReturnType<typeof assignmentQuery>
}

/** Gets the assignment that the address names, and shows what there is to say until it is there. */
export function WithAssignment({ children, query = assignmentQuery }: WithAssignmentProps) {
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery(query(id))
  const retry = () => void refetch()
  if (data) {
    return (
      <>
        <RefreshFailed error={error} onRetry={retry} />
        {children(data)}
      </>
    )
  }
  if (error) return <ErrorState message={explain(error)} onRetry={retry} />
  return (
    <div className="page">
      <Loading label={t`Loading the assignment`} fillsScreen />
    </div>
  )
}
