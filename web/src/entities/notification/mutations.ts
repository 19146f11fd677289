import { mutationOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { invalidate } from '@/lib/query'
import { calendarQuery } from './calendar'
import { notificationKeys, settingsQuery, type Settings } from '@/entities/notification/queries'

/** Marks some notifications as read, or one and all older ones. */
export const readNotifications = mutationOptions({
  mutationFn: (what: { ids: string[] } | { until: string }) =>
    answer(api.POST('/api/notifications/read', { body: what })),
  onSettled: (_data, _error, _input, _before, { client }) => invalidate(client, notificationKeys.all),
})

export const putSettings = mutationOptions({
  mutationFn: async (settings: Settings) => (await answer(api.PUT('/api/settings', { body: settings }))).data,
  onSuccess: (settings, _input, _before, { client }) => client.setQueryData(settingsQuery.queryKey, settings),
})

/** Makes the private calendar, or gives it a new address, which the server tells this once. */
export const newCalendar = mutationOptions({
  mutationFn: async () => (await answer(api.POST('/api/calendar'))).data.url,
  onSuccess: (_url, _input, _before, { client }) => invalidate(client, calendarQuery.queryKey),
})

export const endCalendar = mutationOptions({
  mutationFn: () => answer(api.DELETE('/api/calendar')),
  onSuccess: (_data, _input, _before, { client }) => invalidate(client, calendarQuery.queryKey),
})

export const unsubscribe = mutationOptions({
  mutationFn: async (token: string) =>
    (await answer(api.POST('/unsubscribe/{token}', { params: { path: { token } } }))).data,
})
