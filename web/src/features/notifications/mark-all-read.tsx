import { useMutation, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { Button } from '@/components/ui'
import { readNotifications } from './mutations'
import type { NotificationPage } from './queries'

/** Marks what a page begins with, and all that is older, as read. What comes meanwhile stays unread. */
export function MarkAllRead<Key extends readonly unknown[]>({
  query,
}: {
  query: UseQueryOptions<NotificationPage, Error, NotificationPage, Key>
}) {
  const { data } = useQuery(query)
  const { mutate, isPending } = useMutation(readNotifications)
  const newest = data?.rows[0]?._id
  if (!newest || !data || data.unread === 0) return null
  return (
    <Button variant="plain" size="sm" busy={isPending} onClick={() => mutate({ until: newest })}>
      Mark all as read
    </Button>
  )
}
