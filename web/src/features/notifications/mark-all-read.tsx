import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { Button } from '@/components/ui'
import { readNotifications } from '@/entities/notification/mutations'
import { latestQuery } from '@/entities/notification/latest'

interface MarkAllReadProps {
  /** Gets the focus, as the button disappears. */
  heading: RefObject<HTMLHeadingElement | null>
}

/** Marks the newest shown notification and all older ones as read. Later ones stay unread. */
export function MarkAllRead({ heading }: MarkAllReadProps) {
  const { data } = useQuery(latestQuery)
  const { mutate, isPending } = useMutation(readNotifications)
  const newest = data?.rows[0]?._id
  if (!newest || data.unread === 0) return null
  return (
    <Button
      variant="plain"
      size="sm"
      busy={isPending}
      onClick={() => mutate({ until: newest }, { onSuccess: () => heading.current?.focus() })}
    >
      {t`Mark all as read`}
    </Button>
  )
}
