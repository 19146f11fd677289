import { http, HttpResponse, type HttpHandler } from 'msw'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { invalidate } from '@/lib/query'
import { queryClient } from '@/lib/query-client'
import { startSession } from '@/lib/session'
import { renderPage } from '@/test/render-page'
import { ada, ben } from '@/test/samples'
import { button } from '@/test/screen'
import { serve } from '@/test/serve'
import { notificationKeys, type Notification } from '@/entities/notification/queries'

const list = page.getByRole('region', { name: 'Notifications' })

const graded = (n: number): Notification => ({
  _id: `n${n}`,
  kind: 'graded',
  count: 1,
  title: `Essay ${n}`,
  url: '/attemded-assignments',
  actorName: null,
  createdAt: '2026-02-01T00:00:00Z',
  readAt: null,
})

/** Ada on a page without data of its own, with so many notifications that she has not read. */
async function open(unread: () => number, ...more: HttpHandler[]): Promise<void> {
  serve(
    ...more,
    http.put('*/api/settings/time-zone', () => HttpResponse.json({ modifiedCount: 1 })),
    http.get('*/api/notifications', () => {
      const data = Array.from({ length: unread() }, (_, n) => graded(n))
      const pagination = { page: 1, limit: 8, total: data.length, totalPages: 1 }
      return HttpResponse.json({ data, pagination }, { headers: { 'X-Unread-Count': `${unread()}` } })
    }),
  )
  await renderPage('/about-Us', ada)
}

test('the bell says how many are unread, and hears when that changes', async () => {
  let unread = 2
  await open(() => unread)
  await expect.element(button('Notifications, 2 unread')).toBeVisible()
  unread = 0
  invalidate(queryClient, notificationKeys.all)
  await expect.element(button('Notifications')).toBeVisible()
})

test('Escape closes what the bell opened, and the focus is on the bell; so does a press elsewhere', async () => {
  await open(() => 1)
  await button('Notifications, 1 unread').click()
  await expect.element(list.getByText('Essay 0')).toBeVisible()
  await userEvent.keyboard('{Tab}')
  await expect.element(button('Mark all as read', list)).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(list).not.toBeInTheDocument()
  await expect.element(button('Notifications, 1 unread')).toHaveFocus()
  await button('Notifications, 1 unread').click()
  await expect.element(list.getByText('Essay 0')).toBeVisible()
  await page.getByRole('contentinfo').getByText('© ', { exact: false }).click()
  await expect.element(list).not.toBeInTheDocument()
})

test('focus that leaves what the bell opened closes it', async () => {
  await open(() => 1)
  await button('Notifications, 1 unread').click()
  await expect.element(list.getByText('Essay 0')).toBeVisible()
  await userEvent.tab({ shift: true })
  await expect.element(list).not.toBeInTheDocument()
  await button('Notifications, 1 unread').click()
  const last = list.getByRole('link', { name: 'All notifications' })
  await expect.element(last).toBeVisible()
  last.element().focus()
  await userEvent.tab()
  await expect.element(list).not.toBeInTheDocument()
})

test('a list that could not be fetched reports it, and Retry fetches it', async () => {
  await open(() => 1)
  let failing = true
  serve(
    http.get('*/api/notifications', () =>
      failing
        ? HttpResponse.json({ code: 'internal' }, { status: 500 })
        : HttpResponse.json(
            { data: [graded(0)], pagination: { page: 1, limit: 8, total: 1, totalPages: 1 } },
            { headers: { 'X-Unread-Count': '1' } },
          ),
    ),
  )
  queryClient.removeQueries({ queryKey: notificationKeys.all })
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect.element(list.getByRole('alert')).toBeVisible()
  failing = false
  await list.getByRole('button', { name: /again|Retry/ }).click()
  await expect.element(list.getByText('Essay 0')).toBeVisible()
})

test('notifications marked as read are fetched again, and the heading gets the focus', async () => {
  let unread = 2
  const asked: unknown[] = []
  await open(
    () => unread,
    http.post('*/api/notifications/read', async ({ request }) => {
      asked.push(await request.json())
      unread = 0
      return HttpResponse.json({ modifiedCount: 2 })
    }),
  )
  await button('Notifications, 2 unread').click()
  await button('Mark all as read').click()
  await expect.element(button('Notifications')).toBeVisible()
  await expect.element(button('Mark all as read')).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Notifications' })).toHaveFocus()
  expect(asked).toEqual([{ until: 'n0' }])
})

test('a notification of what the user no longer sees has no link', async () => {
  await open(
    () => 1,
    http.get('*/api/notifications', () => {
      const data = [{ ...graded(0), url: null }, graded(1)]
      const pagination = { page: 1, limit: 8, total: 2, totalPages: 1 }
      return HttpResponse.json({ data, pagination }, { headers: { 'X-Unread-Count': '2' } })
    }),
  )
  await button('Notifications, 2 unread').click()
  await expect.element(list.getByRole('link', { name: /Essay 1/ })).toBeVisible()
  await expect.element(list.getByText(/no longer available/)).toBeVisible()
  await expect.element(list.getByRole('link', { name: /Essay 0/ })).not.toBeInTheDocument()
})

test('another user does not see the number of the one before, and no address stays behind', async () => {
  await open(() => 2)
  await expect.element(button('Notifications, 2 unread')).toBeVisible()
  await expect.poll(() => JSON.stringify({ ...sessionStorage, ...localStorage })).toContain('time-zone')
  startSession(ben)
  await expect
    .element(page.getByRole('button', { name: /^Notifications/ }))
    .toHaveAccessibleName('Notifications')
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(ada.email)
})
