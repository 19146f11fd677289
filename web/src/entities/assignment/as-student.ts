import { queryOptions } from '@tanstack/react-query'
import { usuallyFreshMs } from '@/lib/query'
import { assignmentEvents, assignmentKeys, fetchAssignment } from './queries'

/** An assignment as a student without work sees it, for those who decide about it; null where it does not exist. */
export const asStudentQuery = (id: string) =>
  queryOptions({
    queryKey: [...assignmentKeys.one(id), 'as student'],
    queryFn: () => fetchAssignment(id, 'student'),
    staleTime: usuallyFreshMs,
    meta: { staleOn: assignmentEvents, subject: id },
  })
