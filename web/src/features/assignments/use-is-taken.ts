import { useQuery } from '@tanstack/react-query'
import { takenQuery } from '@/entities/assignment/queries'

/** Reports whether the user's own assignment has a submission, after which its reviewing is fixed. */
export function useIsTaken(id: string | undefined): boolean {
  const { data = false } = useQuery({ ...takenQuery(id ?? ''), enabled: id !== undefined })
  return data
}
