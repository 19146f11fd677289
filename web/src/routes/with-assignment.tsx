import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { ErrorState, Loading } from '@/components/ui'
import { assignmentKey, fetchAssignment, type Assignment } from '@/features/assignments/api'
import { useResource } from '@/lib/cache'
import { explain, isProblem } from '@/lib/problem'
import { NotFound } from './not-found'

/** Gets the assignment that the address names, and shows what there is to say until it is there. */
export function WithAssignment({ children }: { children: (assignment: Assignment) => ReactNode }) {
  const { id = '' } = useParams()
  const { data, error, retry } = useResource(assignmentKey(id), () => fetchAssignment(id))
  if (data) return children(data)
  if (isProblem(error) && (error.status === 404 || error.status === 422)) return <NotFound />
  if (error) return <ErrorState message={explain(error)} onRetry={retry} />
  return (
    <div className="page">
      <Loading label="Loading the assignment" fillsScreen />
    </div>
  )
}
