import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queryClient } from '@/lib/query-client'
import { biology, listOf, nothing, serveCircle } from '@/test/circles'
import { renderPage } from '@/test/render-page'
import { ada, sampleAssignment } from '@/test/samples'
import { button, textbox } from '@/test/screen'
import { serve } from '@/test/serve'

beforeEach(() => queryClient.clear())

const reported = {
  _id: 'r1',
  kind: 'comment',
  subjectId: 'c-1',
  assignmentId: 'a1',
  assignmentTitle: 'Tides',
  text: 'Rude words',
  authorName: 'Ben',
  reason: 'So rude',
  createdAt: '2026-01-02T03:04:05Z',
  count: 1,
  mayDecide: true,
  maySuspend: false,
}

test('an organizer decides on reports in the circle, and suspends no account', async () => {
  let open = [reported]
  const asked: string[] = []
  const decisions: unknown[] = []
  serveCircle(
    () => ({ ...biology, role: 'organizer' }),
    http.get('*/api/reports', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('circle') ?? '')
      return HttpResponse.json(listOf(...open))
    }),
    http.post('*/api/reports/:id', async ({ request, params }) => {
      decisions.push([params.id, await request.json()])
      open = []
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/circle/c1', ada)
  await page.getByRole('tab', { name: 'Reports' }).click()
  const report = page.getByRole('article', { name: 'So rude' })
  await expect.element(report.getByText('Rude words')).toBeVisible()
  await expect.element(button('Suspend', report)).not.toBeInTheDocument()
  await button('Hide', report).click()
  const hide = page.getByRole('dialog', { name: 'Hide' })
  await hide.getByLabelText('Reason').fill('Off topic.')
  await button('Hide', hide).click()
  await expect.element(page.getByText('No reports. All is well.')).toBeVisible()
  expect(decisions).toEqual([['r1', { action: 'hide', reason: 'Off topic.' }]])
  expect(new Set(asked)).toEqual(new Set(['c1']))
})

test('an organizer does not decide about their own words', async () => {
  serveCircle(
    () => ({ ...biology, role: 'organizer' }),
    http.get('*/api/reports', () => HttpResponse.json(listOf({ ...reported, mayDecide: false }))),
  )
  await renderPage('/circle/c1?tab=reports', ada)
  const report = page.getByRole('article', { name: 'So rude' })
  await expect
    .element(report.getByText('You cannot decide here: it is yours, or the circle is archived.'))
    .toBeVisible()
  await expect.element(report.getByRole('button')).not.toBeInTheDocument()
})

test('members have no list of reports', async () => {
  serveCircle(() => ({ ...biology, role: 'member', may: nothing }))
  await renderPage('/circle/c1', ada)
  await expect.element(page.getByRole('tab', { name: 'Members' })).toBeVisible()
  await expect.element(page.getByRole('tab', { name: 'Reports' })).not.toBeInTheDocument()
})

test('who reports in a circle chooses who looks at it', async () => {
  const sent: unknown[] = []
  serve(
    http.get('*/api/assignment/a1', () =>
      HttpResponse.json({
        ...sampleAssignment(),
        creatorEmail: null,
        circleId: 'c1',
        circleName: 'Biology',
        may: { take: true, change: false, decide: false },
      }),
    ),
    http.post('*/api/assignment/a1/report', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ insertedId: 'r1' }, { status: 201 })
    }),
  )
  await renderPage('/assignment/a1', ada)
  await button('Report').click()
  const dialog = page.getByRole('dialog', { name: 'Report' })
  await textbox('Reason', dialog).fill('Copied')
  await expect.element(dialog.getByLabelText('To')).toHaveValue('organizers')
  await dialog.getByLabelText('To').selectOptions('The moderators of this server')
  await button('Report', dialog).click()
  await expect.element(page.getByText('Thank you. A moderator will look at it.')).toBeVisible()
  expect(sent).toEqual([{ reason: 'Copied', to: 'moderators' }])
})
