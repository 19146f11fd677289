import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { ErrorState, Loading, RefreshFailed } from '@/components/ui'
import { assignmentQuery, type Assignment } from '@/entities/assignment/queries'
import { explain } from '@/lib/problem'

/** Gets the assignment that the address names, and shows what there is to say until it is there. */
export function WithAssignment({ children }: { children: (assignment: Assignment) => ReactNode }) {
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery(assignmentQuery(id))
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
      <Loading label="Loading the assignment" fillsScreen />
    </div>
  )
}
