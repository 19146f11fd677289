import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { ErrorState, Loading, RefreshFailed } from '@/components/ui'
import { asStudentQuery } from '@/entities/assignment/as-student'
import { assignmentQuery, type Assignment } from '@/entities/assignment/queries'
import { explain } from '@/lib/problem'

interface WithAssignmentProps {
  children: (assignment: Assignment) => ReactNode
  /** Reads it as a student without work does. */
  as?: 'student' | undefined
}

/** Gets the assignment that the address names, and shows what there is to say until it is there. */
export function WithAssignment({ children, as }: WithAssignmentProps) {
  const { id = '' } = useParams()
  const { data, error, refetch } = useQuery(as === 'student' ? asStudentQuery(id) : assignmentQuery(id))
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
