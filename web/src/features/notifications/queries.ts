import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { usuallyFreshMs } from '@/lib/query'

export type Notification = components['schemas']['Notification']
export type Settings = components['schemas']['Settings']
export type Kind = Notification['kind']

export const notificationKeys = {
  all: ['notifications'],
  unread: ['notifications', 'unread'],
  settings: ['settings'],
  calendar: ['calendar'],
}

/** How many the bell shows. */
const latest = 8
const pageSize = 20
/** Without an event, this is how old the number of unread ones gets. */
const askAgainMs = 60_000

export interface NotificationPage {
  rows: Notification[]
  unread: number
  totalPages: number
}

async function fetchPage(page: number, limit: number): Promise<NotificationPage> {
  const { data, response } = await answer(
    api.GET('/api/notifications', { params: { query: { page, limit } } }),
  )
  assertConfirmed(Array.isArray(data.data) && data.data.every(Boolean))
  return {
    rows: data.data,
    unread: Number(response.headers.get('X-Unread-Count')) || 0,
    totalPages: data.pagination.totalPages,
  }
}

/** The newest ones, and how many were not read. */
export const latestQuery = queryOptions({
  queryKey: notificationKeys.unread,
  queryFn: () => fetchPage(1, latest),
  staleTime: usuallyFreshMs,
  refetchInterval: askAgainMs,
})

export const notificationsQuery = (page: number) =>
  queryOptions({
    queryKey: [...notificationKeys.all, 'page', page],
    queryFn: () => fetchPage(page, pageSize),
    staleTime: usuallyFreshMs,
  })

export const settingsQuery = queryOptions({
  queryKey: notificationKeys.settings,
  queryFn: async () => (await answer(api.GET('/api/settings'))).data,
  staleTime: usuallyFreshMs,
})

export const calendarQuery = queryOptions({
  queryKey: notificationKeys.calendar,
  queryFn: async () => (await answer(api.GET('/api/calendar'))).data,
  staleTime: usuallyFreshMs,
})

/** What a mail's link ends; null where the link was altered. */
export const unsubscriptionQuery = (token: string) =>
  queryOptions({
    queryKey: ['unsubscription', token],
    queryFn: async () =>
      (await answer(api.GET('/api/unsubscribe/{token}', { params: { path: { token } } }))).data,
    staleTime: Infinity,
  })
