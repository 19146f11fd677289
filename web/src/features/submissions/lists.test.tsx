import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { button, texts } from '@/test/screen'
import { serve } from '@/test/serve'

/** What the two lists of submissions have in common, and one's own. */

const pages = [
  ['/pending-assignments', 'Pending Assignments', 'No pending assignments found.'],
  ['/attemded-assignments', 'My Submitted Assignments', 'No submitted assignments found.'],
] as const

for (const [path, title, empty] of pages) {
  test(`${path}: says when there is none`, async () => {
    serve(http.get('*/api/submissions', () => HttpResponse.json([])))
    await renderPage(path, ada)
    await expect.element(page.getByText(empty)).toBeVisible()
    await expect.poll(() => document.title).toBe(`${title} | StudyCircle`)
  })

  test.for([{}, { data: [] }, [null]])(
    `${path}: %j is no list, which is a failure with Retry`,
    async (json) => {
      let rows: object = json
      serve(http.get('*/api/submissions', () => HttpResponse.json(rows)))
      await renderPage(path, ada)
      await expect.element(button('Retry')).toBeVisible()
      rows = []
      await button('Retry').click()
      await expect.element(page.getByText(empty)).toBeVisible()
    },
  )

  test(`${path}: a failed fetch says why, with Retry`, async () => {
    let failing = true
    serve(
      http.get('*/api/submissions', () =>
        failing
          ? HttpResponse.json({ detail: 'Away.' }, { status: 503, headers: { 'Retry-After': '1' } })
          : HttpResponse.json([]),
      ),
    )
    await renderPage(path, ada)
    await expect.element(page.getByText('Away. Try again in 1 second.')).toBeVisible()
    failing = false
    await button('Retry').click()
    await expect.element(page.getByText(empty)).toBeVisible()
  })
}

test('one’s own submissions fall back for what is missing', async () => {
  const bare = { _id: 'x', assignmentId: 'y', status: 'pending', late: false, submittedBy: ada.email }
  serve(http.get('*/api/submissions', () => HttpResponse.json([bare])))
  await renderPage('/attemded-assignments', ada)
  await expect
    .poll(() => texts(page.getByRole('columnheader')))
    .toEqual(['Title', 'Status', 'Total Marks', 'Obtained Marks', 'Feedback'])
  const cells = page.getByRole('row').nth(1).getByRole('cell')
  for (const [index, text] of ['Untitled', 'pending', '--', '--', '--'].entries()) {
    await expect.element(cells.nth(index)).toMatchTextContent(text)
  }
})

test('an expired token is renewed silently', async () => {
  const tokens: (string | null)[] = []
  serve(
    http.get('*/api/auth/session', () => HttpResponse.json({ user: { ...ada, accessToken: 'fresh' } })),
    http.get('*/api/submissions', ({ request }) => {
      tokens.push(request.headers.get('Authorization'))
      return tokens.length === 1
        ? HttpResponse.json({ code: 'unauthenticated', detail: 'old' }, { status: 401 })
        : HttpResponse.json([])
    }),
  )
  await renderPage('/attemded-assignments', ada)
  await expect.element(page.getByText('No submitted assignments found.')).toBeVisible()
  expect(tokens).toEqual(['Bearer token of Ada', 'Bearer fresh'])
})
