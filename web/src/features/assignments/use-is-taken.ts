import { useQuery } from '@tanstack/react-query'
import { takenQuery } from './queries'

/** Whether something was handed in for one's own assignment, after which how it is reviewed stays as it is. */
export function useIsTaken(id: string | undefined): boolean {
  const { data = false } = useQuery({ ...takenQuery(id ?? ''), enabled: id !== undefined })
  return data
}
