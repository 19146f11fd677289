import { http, HttpResponse } from 'msw'
import receipts from '../../../../internal/receipt/testdata/receipts.txt?raw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { explanation, made, mark, received, reviews, said } from '@/test/mark'
import { renderPage } from '@/test/render-page'
import { ada, ben } from '@/test/samples'
import { answerBox, button } from '@/test/screen'
import { gate, serve } from '@/test/serve'
import { settle } from '@/lib/grade-model/settle'

test('a mark can be computed again, and agrees', async () => {
  serve(mark(), said)
  await renderPage('/submission/s1/mark', ben)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('How was my mark made?')
  await expect.element(page.getByText(/^In 8 of 10 cases a panel of experts would give/)).toBeVisible()
  await button('Recompute').click()
  await expect.element(page.getByText(/It agrees\.$/)).toBeVisible()
})

test('the formula has the numbers in it, and is true', async () => {
  serve(mark(), said)
  await renderPage('/submission/s1/mark', ben)
  await expect
    .element(
      page.getByText(/^A’s 18 counts as .* the class average \(“usual mark”\), 15\.\d, has a weight of 1\./),
    )
    .toBeVisible()
  await expect.element(page.getByText(/^Average angle/)).not.toBeVisible()
  await button('Show the math').click()
  const sum = page.getByText(/^Average angle/)
  await expect.element(sum).toBeVisible()
  const [, terms = '', weights = '', average = ''] =
    /= \((.+)\) ÷ ([\d.]+) = ([\d.]+)$/.exec(sum.element().closest('li')?.textContent ?? '') ?? []
  const added = terms
    .split(' + ')
    .map((term) => term.split(' × ').map(Number))
    .reduce((total, [weight = NaN, angle = NaN]) => total + weight * angle, 0)
  expect(Math.abs(added / Number(weights) - Number(average))).toBeLessThan(2e-4)
})

test('the history names the user who finalized it, not reviews that had not come', async () => {
  const [handedIn] = explanation.timeline
  const settled = { kind: 'settled', time: 'past', day: '2026-11-20', by: 'model', mark: made.mark }
  const decided = [
    { ...settled, reason: 'enough-reviews', decider: 'Tara Lindqvist' },
    { ...settled, reason: 'early' },
    { ...settled, reason: 'set-mark', by: 'creator', decider: 'Tara Lindqvist', words: 'So it is' },
  ]
  serve(mark({ timeline: [handedIn, ...decided] }), said)
  await renderPage('/submission/s1/mark', ben)
  const history = page.getByRole('region', { name: 'History' })
  await expect.element(history.getByText('Tara Lindqvist finalized it.')).toBeVisible()
  await expect.element(history.getByText('The creator finalized it.')).toBeVisible()
  await expect.element(history.getByText('Tara Lindqvist set the mark:')).toBeVisible()
  await expect.element(history.getByText('All the requested reviews')).not.toBeInTheDocument()
})

test('the receipt is checked in the browser', async () => {
  const [keys = '', receipt = ''] = receipts.split('\n')
  let answered = receipt
  serve(
    mark(),
    said,
    http.get('*/api/submissions/s1/receipt', () => new HttpResponse(answered)),
    http.get('*/.well-known/studycircle-keys', () => new HttpResponse(keys)),
  )
  await renderPage('/submission/s1/mark', ben)
  await button('Check the receipt').click()
  await expect
    .element(page.getByText(/^The receipt is valid: signed by this server, \d+ of \d+\.$/))
    .toBeVisible()
  answered = receipt.replace('"n":1', '"n":2')
  await button('Check the receipt').click()
  await expect.element(page.getByText('The signature does not match the receipt.')).toBeVisible()
})

test('a mark by a later version is computed again by that version, whose usual mark counts as less', async () => {
  const kappa = 0.4
  const later = settle({ model: 'SC1K', kappa, total: 20, usual: 1.05, noise: 0.24, reviews })
  const { estimate, mark: givenMark } = later
  serve(mark({ model: 'SC1K', kappa, estimate, givenMark }), said)
  await renderPage('/submission/s1/mark', ben)
  await expect
    .element(
      page.getByText(/usual mark counting as one more review or, where submissions differ widely, as less/),
    )
    .toBeVisible()
  await expect
    .element(page.getByText(/the class average \(“usual mark”\).* has a weight of 0\.40\./))
    .toBeVisible()
  await button('Recompute').click()
  await expect.element(page.getByText(/It agrees\.$/)).toBeVisible()
})

test.each([
  ['mean', 15, 'The average of 2 reviews.', '(18 + 12) ÷ 2 = 15.00. The mark is 15, half rounded up.'],
  [
    'median',
    15,
    'The median of 2 reviews.',
    'In order: 12, 18. The middle is 15.00. The mark is 15, half rounded up.',
  ],
])('a mark by %s is explained, without an interval', async (model, estimate, verdict, sum) => {
  serve(
    mark({ model, estimate, givenMark: 15, usual: undefined, usualMark: undefined, interval: undefined }),
    said,
  )
  await renderPage('/submission/s1/mark', ben)
  for (const text of [verdict, sum]) await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  await expect.element(page.getByText(/panel of experts/)).not.toBeInTheDocument()
  await button('Recompute').click()
  await expect.element(page.getByText('Computed here: 15.0000, so 15. It agrees.')).toBeVisible()
})

test('the plain average stands beside the mark, with the reason', async () => {
  serve(mark(), said)
  await renderPage('/submission/s1/mark', ben)
  const beside = page.getByRole('region', { name: 'Plain average and mark' })
  for (const text of ['15.0 of 20', `${made.mark} of 20`])
    await expect.element(beside.getByText(text)).toBeVisible()
  await expect.element(beside.getByText(/plain average/)).toBeVisible()
})

test('the creator does not read of a mark of their own', async () => {
  serve(mark({ mine: false, appealUntil: undefined }), said)
  await renderPage('/submission/s1/mark', ada)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('How was this mark made?')
  await expect.element(page.getByText('The submitter reads:')).toBeVisible()
  await expect.element(page.getByRole('main').getByText(/\bmy\b/i)).not.toBeInTheDocument()
})

test('a mark computed otherwise does not agree', async () => {
  serve(mark({ givenMark: 3 }), said)
  await renderPage('/submission/s1/mark', ben)
  await button('Recompute').click()
  await expect.element(page.getByText(/It does not agree\.$/)).toBeVisible()
})

test('reviews stand under their letters, with the chosen levels', async () => {
  serve(mark(), said)
  await renderPage('/submission/s1/mark', ben)
  const first = page.getByRole('listitem').filter({ hasText: 'Review A' })
  await expect.element(first.getByText('Clear and kind.')).toBeVisible()
  await expect.element(first.getByText('Strong 12')).toBeVisible()
  await expect.element(page.getByText('You found this not helpful.')).toBeVisible()
})

test('a review in Markdown is shown as the server rendered it', async () => {
  const [first, second] = received.data
  const html = '<p><strong>Clear</strong> and <a href="https://example.org">kind</a>.</p>'
  const rendered = {
    ...received,
    data: [
      { ...first, format: 'markdown', html },
      { ...second, feedback: '*As typed*' },
    ],
  }
  serve(
    mark(),
    http.get('*/api/submissions/s1/reviews', () => HttpResponse.json(rendered)),
  )
  await renderPage('/submission/s1/mark', ben)
  await expect.element(page.getByText('Clear', { exact: true })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'kind' }))
    .toHaveAttribute('href', 'https://example.org')
  await expect.element(page.getByText('*As typed*')).toBeVisible()
})

test('right-to-left text is mirrored', async () => {
  const title = 'الحجة'
  const levels = [
    { label: 'ضعيف', marks: 6 },
    { label: 'Strong', marks: 12 },
  ]
  const rubric = { criteria: [{ title, levels }, received.rubric.criteria[1]] }
  serve(
    mark(),
    http.get('*/api/submissions/s1/reviews', () => HttpResponse.json({ ...received, rubric })),
  )
  await renderPage('/submission/s1/mark', ben)
  const review = page.getByRole('listitem').filter({ hasText: 'Review A' })
  const term = review.getByRole('term').first()
  const chosen = review.getByRole('definition').first()
  await expect.element(term).toHaveTextContent(title)
  const left = (of: typeof term) => of.element().getBoundingClientRect().left
  expect(left(term)).toBeGreaterThan(left(chosen))
})

test('an appeal that is refused stays as it was typed', async () => {
  serve(
    mark(),
    said,
    http.post('*/api/submissions/s1/appeal', () => HttpResponse.json({ detail: 'Away.' }, { status: 503 })),
  )
  await renderPage('/submission/s1/mark', ben)
  await button('Appeal').click()
  const dialog = page.getByRole('dialog', { name: 'Appeal' })
  await dialog.getByLabelText('Reason').fill('Nobody read page two.')
  await button('Submit', dialog).click()
  await answerBox('Error', null)
  await expect.element(dialog.getByLabelText('Reason')).toHaveValue('Nobody read page two.')
})

test('a reply says whether a review helped', async () => {
  let sent: object | undefined
  const { opened, open } = gate()
  serve(
    mark(),
    http.get('*/api/submissions/s1/reviews', async () => {
      const [first, second] = received.data
      if (sent) await opened
      return HttpResponse.json({ ...received, data: [{ ...first, ...sent }, second] })
    }),
    http.put('*/api/reviews/r1/reply', async ({ request }) => {
      sent = (await request.json()) as object
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/submission/s1/mark', ben)
  const first = page.getByRole('listitem').filter({ hasText: 'Review A' })
  await button('Reply', first).click()
  await button('Send', first).click()
  await expect.element(first.getByText('Choose one.')).toBeVisible()
  await first.getByRole('radio', { name: 'Yes' }).click()
  await first.getByLabelText('Reply').fill(' Thank you. ')
  await button('Send', first).click()
  await expect.element(first.getByText('You found this helpful.')).toBeVisible()
  await expect.element(first.getByText('Thank you.')).toBeVisible()
  open()
  expect(sent).toEqual({ helpful: true, reply: 'Thank you.' })
})

test('the receiver of a review reports it', async () => {
  const sent: unknown[] = []
  serve(
    mark(),
    said,
    http.post('*/api/reviews/:id/report', async ({ request, params }) => {
      sent.push([params.id, await request.json()])
      return HttpResponse.json({ insertedId: 'p1' }, { status: 201 })
    }),
  )
  await renderPage('/submission/s1/mark', ben)
  const first = page.getByRole('listitem').filter({ hasText: 'Review A' })
  await button('Report', first).click()
  const dialog = page.getByRole('dialog', { name: 'Report' })
  await button('Report', dialog).click()
  await expect.element(dialog.getByText('Say why.')).toBeVisible()
  await dialog.getByLabelText('Reason').fill('Rude')
  await button('Report', dialog).click()
  await expect.element(page.getByText('Thank you. A moderator will look at it.')).toBeVisible()
  expect(sent).toEqual([['r1', { reason: 'Rude' }]])
})

test('reviews that could not be fetched are asked for again', async () => {
  let failing = true
  serve(
    mark(),
    http.get('*/api/submissions/s1/reviews', () =>
      failing
        ? HttpResponse.json({ detail: 'Away.' }, { status: 503, headers: { 'Retry-After': '1' } })
        : HttpResponse.json(received),
    ),
  )
  await renderPage('/submission/s1/mark', ben)
  await expect.element(page.getByText('Away. Try again in 1 second.')).toBeVisible()
  failing = false
  await button('Retry').click()
  await expect.element(page.getByText('Clear and kind.')).toBeVisible()
})

test('an appeal says why', async () => {
  let sent: unknown
  serve(
    mark(),
    said,
    http.post('*/api/submissions/s1/appeal', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ insertedId: 's1' }, { status: 201 })
    }),
  )
  await renderPage('/submission/s1/mark', ben)
  await button('Appeal').click()
  const dialog = page.getByRole('dialog', { name: 'Appeal' })
  await button('Submit', dialog).click()
  await expect.element(dialog.getByText('Say why.')).toBeVisible()
  await dialog.getByLabelText('Reason').fill('Nobody read page two.')
  await button('Submit', dialog).click()
  await expect
    .element(page.getByText('Two new reviewers will look at it. Your mark stands until then.'))
    .toBeVisible()
  expect(sent).toEqual({ reason: 'Nobody read page two.' })
})

test('in a small class an appeal goes to its creator', async () => {
  serve(
    mark(),
    said,
    http.post('*/api/submissions/s1/appeal', () =>
      HttpResponse.json({ insertedId: 's1', creatorDecides: true }, { status: 201 }),
    ),
  )
  await renderPage('/submission/s1/mark', ben)
  await button('Appeal').click()
  const dialog = page.getByRole('dialog', { name: 'Appeal' })
  await dialog.getByLabelText('Reason').fill('Page two was overlooked.')
  await button('Submit', dialog).click()
  await expect
    .element(
      page.getByText(
        'Too few members are left to look at it, so its creator decides. Your mark stands until then.',
      ),
    )
    .toBeVisible()
})

const readOnly = http.get('*/api/submissions/s1/reviews', () =>
  HttpResponse.json({ ...received, mayReply: false }),
)

test('a submitter who has left the circle reads the reviews and answers none', async () => {
  serve(mark({ appealUntil: undefined }), readOnly)
  await renderPage('/submission/s1/mark', ben)
  await expect.element(page.getByText('You found this not helpful.')).toBeVisible()
  for (const done of ['Reply', 'Change your reply', 'Report', 'Appeal']) {
    await expect.element(button(done)).not.toBeInTheDocument()
  }
})

test('the creator reads it without what is the submitter’s to do', async () => {
  serve(mark({ mine: false, appealUntil: undefined }), readOnly)
  await renderPage('/submission/s1/mark', ada)
  await expect.element(page.getByText('The submitter found this not helpful.')).toBeVisible()
  await expect.element(button('Download')).toBeVisible()
  await expect.element(button('Appeal')).not.toBeInTheDocument()
  for (const theirs of ['Reply', 'Report']) await expect.element(button(theirs)).not.toBeInTheDocument()
})

test('a mark set by the creator is labelled', async () => {
  const settlements = [
    { n: 1, day: '2026-11-20', by: 'creator', reason: 'set-mark', words: 'Copied.', mark: 2 },
  ]
  const bare = {
    estimate: undefined,
    interval: undefined,
    model: undefined,
    givenMark: 2,
    reviews: [],
    settlements,
  }
  serve(mark({ ...bare, appeal: 'open' }), said)
  await renderPage('/submission/s1/mark', ben)
  await expect
    .element(page.getByText('The creator of the assignment set this mark: Copied.', { exact: true }))
    .toBeVisible()
  await expect.element(page.getByText('Under appeal')).toBeVisible()
  await expect.element(button('Recompute')).not.toBeInTheDocument()
})

test('the levels by which the creator set a mark are beside it', async () => {
  const levels = [
    { label: 'Weak', marks: 0 },
    { label: 'Strong', marks: 2 },
  ]
  const settlements = [
    { n: 1, day: '2026-11-20', by: 'creator', reason: 'set-mark', words: 'Read.', mark: 2 },
  ]
  const bare = { estimate: undefined, interval: undefined, model: undefined, givenMark: 2, reviews: [] }
  serve(mark({ ...bare, settlements, levels: [1], rubric: { criteria: [{ title: 'Tone', levels }] } }), said)
  await renderPage('/submission/s1/mark', ben)
  await expect.element(page.getByRole('term').filter({ hasText: 'Tone' })).toBeVisible()
  await expect.element(page.getByRole('definition').filter({ hasText: 'Strong 2' })).toBeVisible()
})

test('each submission has its own mark and its own reviews, also while they are on their way', async () => {
  const { opened, open } = gate()
  serve(
    mark(),
    said,
    http.get('*/api/submissions/s2/mark', async () => {
      await opened
      return HttpResponse.json({ ...explanation, submissionId: 's2', assignmentTitle: 'Another one' })
    }),
    http.get('*/api/submissions/s2/reviews', async () => {
      await opened
      return HttpResponse.json({ data: [{ ...received.data[0], _id: 'r3', feedback: 'Of the other one.' }] })
    }),
  )
  await renderPage('/submission/s1/mark', ben)
  await expect.element(page.getByText('Clear and kind.')).toBeVisible()
  await renderPage('/submission/s2/mark', ben)
  await expect.element(page.getByRole('navigation').first()).toBeVisible()
  await expect.element(page.getByText('Clear and kind.')).not.toBeInTheDocument()
  await expect.element(page.getByText('Fractions in short')).not.toBeInTheDocument()
  open()
  await expect.element(page.getByText('Of the other one.')).toBeVisible()
  await expect.element(page.getByText('Clear and kind.')).not.toBeInTheDocument()
})
