import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, ben, sampleAssignment, sampleList } from '@/test/samples'
import { answerBox } from '@/test/screen'
import { gate, serve } from '@/test/serve'

const card = (title: string) => page.getByRole('article', { name: title })

const four = sampleList(
  sampleAssignment({ _id: 'a1', title: 'Nothing yet' }),
  sampleAssignment({ _id: 'a2', title: 'Waits' }),
  sampleAssignment({ _id: 'a3', title: 'Has its mark' }),
  sampleAssignment({ _id: 'a4', title: 'My own', creatorEmail: ben.email }),
)

const where = [
  { assignmentId: 'a1', state: 'open', attempts: 0, remind: false },
  {
    assignmentId: 'a2',
    state: 'pending',
    submissionId: 's2',
    attempts: 1,
    remind: false,
    reviewsGiven: 2,
    reviewsOwed: 3,
    reviewsLeft: 1,
    reviewsAvailable: 0,
  },
  {
    assignmentId: 'a3',
    state: 'graded',
    submissionId: 's3',
    givenMark: 77,
    marks: 100,
    attempts: 2,
    remind: true,
  },
  { assignmentId: 'a4', state: 'mine', attempts: 0, remind: false },
]

test('each card says where one stands; they are asked for once, and move nothing when they come', async () => {
  const { opened, open } = gate()
  const asked: (string | null)[] = []
  serve(
    http.get('*/api/assignments', () => HttpResponse.json(four)),
    http.get('*/api/progress', async ({ request }) => {
      asked.push(new URL(request.url).search)
      await opened
      return HttpResponse.json({ data: where })
    }),
    http.get('*/api/assignment/:id', () => HttpResponse.json(four.data[2])),
    http.get('*/api/submissions', () => HttpResponse.json([])),
  )
  await renderPage('/assignments', ben)
  await expect.element(card('My own').getByText('Yours')).toBeVisible()
  // Letters that come later are as wide as those in whose place they stand, but not to the pixel.
  await document.fonts.ready
  const places = () =>
    Array.from(document.querySelectorAll('article :is(h2, p, a, button)'), (element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return [x, y + window.scrollY, width, height].map(Math.round).join(' ')
    })
  const before = places()
  open()
  await expect.element(card('Has its mark').getByText('77 of 100', { exact: true })).toBeVisible()
  await expect.element(card('Waits').getByText('Handed in', { exact: true })).toBeVisible()
  await expect.element(card('Waits').getByText('2 of 3 given', { exact: true })).toBeVisible()
  await expect.element(card('Nothing yet').getByText(/Handed in|of 100|Yours/)).not.toBeInTheDocument()
  expect(places()).toEqual(before)
  expect(asked).toEqual(['?assignments=a1,a2,a3,a4'])

  // An assignment that was on the list knows it already.
  await renderPage('/assignment/a3', ben)
  await expect.element(page.getByText('You got 77 of 100')).toBeVisible()
  await expect.element(page.getByRole('switch', { name: 'Remind me' })).toBeChecked()
  expect(asked).toHaveLength(1)
})

test('a visitor stands nowhere, and nothing is asked', async () => {
  const asked: string[] = []
  serve(
    http.get('*/api/assignments', () => HttpResponse.json(four)),
    http.get('*/api/progress', ({ request }) => {
      asked.push(request.url)
      return HttpResponse.json({ data: [] })
    }),
  )
  await renderPage('/assignments')
  await expect.element(card('My own')).toBeVisible()
  expect(asked).toEqual([])
})

test('where one stands is not known: the cards are there all the same', async () => {
  serve(
    http.get('*/api/assignments', () => HttpResponse.json(four)),
    http.get('*/api/progress', () => HttpResponse.json({ detail: 'Away.' }, { status: 500 })),
  )
  await renderPage('/assignments', ada)
  await expect.element(page.getByRole('article')).toHaveLength(4)
  await expect.element(card('Nothing yet').getByText('Yours')).toBeVisible()
})

for (const [query, message] of [
  ['state=open', 'You have taken or created every assignment here.'],
  ['state=pending', 'None of your submissions is waiting for a mark.'],
  ['state=graded&level=hard', 'None of your work here has a mark yet.'],
  ['state=mine', 'You have created none of these.'],
  ['state=due-soon', 'Nothing here is due in the next 14 days.'],
] as const) {
  test(`an empty list of ${query} says what that means, and asked for no more than that`, async () => {
    const asked: string[] = []
    serve(
      http.get('*/api/assignments', ({ request }) => {
        asked.push(new URL(request.url).search)
        return HttpResponse.json(sampleList())
      }),
    )
    await renderPage(`/assignments?${query}`, ben)
    await expect.element(page.getByText(message)).toBeVisible()
    await expect.element(page.getByText('No assignments available.')).toBeVisible()
    for (const search of asked) expect(search).toContain(query.split('&')[0])
  })
}

test('a reminder shows as it was before where the server refuses it', async () => {
  let asked = false
  serve(
    http.get('*/api/assignment/a1', () => HttpResponse.json(four.data[0])),
    http.get('*/api/progress', () =>
      asked ? new HttpResponse(null, { status: 503 }) : HttpResponse.json({ data: where.slice(0, 1) }),
    ),
    http.put('*/api/assignment/a1/reminder', () => {
      asked = true
      return HttpResponse.json({ detail: 'Away.' }, { status: 500 })
    }),
  )
  await renderPage('/assignment/a1', ben)
  const remind = page.getByRole('switch', { name: 'Remind me' })
  await expect.element(remind).toHaveAttribute('aria-checked', 'false')
  await remind.click()
  await answerBox('Error', 'Your reminder was not changed.')
  await expect.element(remind).toHaveAttribute('aria-checked', 'false')
})
