import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { isProblem } from '@/lib/problem'
import { usuallyFreshMs } from '@/lib/query'
import { oneOf, pageNumber, searchParams } from '@/lib/search-params'
import { userEmail } from '@/lib/session'
import { reportTimeZone } from './time-zone'

export type Notification = components['schemas']['Notification']
export type Settings = components['schemas']['Settings']
export type Kind = Notification['kind']

export const notificationKeys = {
  all: ['notifications'],
  unread: ['notifications', 'unread'],
  settings: ['settings'],
}

const pageSize = 20

export interface NotificationPage {
  rows: Notification[]
  unread: number
  totalPages: number
}

interface Asked {
  unread?: boolean
  /** With the assignments, pictures and marks. */
  details?: boolean
}

export async function fetchPage(
  page: number,
  limit: number,
  { unread, details }: Asked = {},
): Promise<NotificationPage> {
  const { data, response } = await answer(
    api.GET('/api/notifications', {
      params: {
        query: {
          page,
          limit,
          ...(unread && { unread: 'true' as const }),
          ...(details && { details: 'true' as const }),
        },
      },
    }),
  )
  assertConfirmed(Array.isArray(data.data) && data.data.every(Boolean))
  return {
    rows: data.data,
    unread: Number(response.headers.get('X-Unread-Count')) || 0,
    totalPages: data.pagination.totalPages,
  }
}

export const notificationParams = searchParams({ show: oneOf('unread'), page: pageNumber })

/** A page of the user's notifications, all or the unread ones, newest first. */
export const notificationsQuery = (page: number, show: 'unread' | '') =>
  queryOptions({
    queryKey: [...notificationKeys.all, 'page', page, show],
    queryFn: () => fetchPage(page, pageSize, { unread: show === 'unread', details: true }),
    staleTime: usuallyFreshMs,
    meta: { staleOn: ['notifications'] },
  })

export const settingsQuery = queryOptions({
  queryKey: notificationKeys.settings,
  queryFn: fetchSettings,
  staleTime: usuallyFreshMs,
  meta: { staleOn: [] },
})

/** Reports the time zone first: without it the server answers UTC, which saving the form would make the user's choice. */
async function fetchSettings(): Promise<Settings> {
  try {
    await reportTimeZone(userEmail() ?? '')
  } catch (error) {
    // The server does not know the zone: the user picks one that it knows.
    if (!isProblem(error, 'invalid')) throw error
  }
  return (await answer(api.GET('/api/settings'))).data
}
