import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, sampleAssignment } from '@/test/samples'
import { answerBox, button } from '@/test/screen'
import { gate, serve } from '@/test/serve'
import type { Report } from '@/entities/report/queries'

const reported = (id: string, reason: string): Report => ({
  _id: id,
  kind: 'comment',
  subjectId: `c-${id}`,
  assignmentId: 'a1',
  assignmentTitle: 'Tides',
  text: 'Rude words',
  html: '<p>Rude <strong>words</strong></p>',
  authorName: 'Ben',
  reason,
  createdAt: '2026-01-02T03:04:05Z',
  count: 1,
  mayDecide: true,
  maySuspend: true,
})

test('a moderator decides on what was reported, oldest first', async () => {
  let open = [reported('r1', 'So rude'), reported('r2', 'Copied')]
  const decisions: unknown[] = []
  serve(
    http.get('*/api/reports', () => {
      const pagination = { page: 1, limit: 20, total: open.length, totalPages: open.length > 0 ? 1 : 0 }
      return HttpResponse.json({ data: open, pagination })
    }),
    http.post('*/api/reports/:id', async ({ request, params }) => {
      decisions.push([params.id, await request.json()])
      open = open.filter(({ _id }) => _id !== params.id)
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/moderation', ada)
  const first = page.getByRole('article', { name: 'So rude' })
  await expect.element(first.getByText('words')).toBeVisible()
  await expect
    .element(first.getByRole('link', { name: 'Tides' }))
    .toHaveAttribute('href', '/assignment/a1#comment-c-r1')
  await button('Suspend', first).click()
  await answerBox('Are you sure?', 'It will be hidden, and its author’s account closed.', 'Cancel')
  await button('Hide', first).click()
  const hide = page.getByRole('dialog', { name: 'Hide' })
  await expect
    .element(
      hide.getByText('Only its author will see it, with the reason. You can restore it under Decisions.'),
    )
    .toBeVisible()
  await button('Hide', hide).click()
  await expect.element(hide.getByText('Say why.')).toBeVisible()
  await hide.getByLabelText('Reason').fill('An insult.')
  await button('Hide', hide).click()
  await expect.element(first).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Moderation' })).toHaveFocus()
  await button('Suspend').click()
  await answerBox('Are you sure?', null, 'Suspend')
  await expect.element(page.getByText('No reports. All is well.')).toBeVisible()
  expect(decisions).toEqual([
    ['r1', { action: 'hide', reason: 'An insult.' }],
    ['r2', { action: 'suspend' }],
  ])
})

test('a moderator decides on reviews and submissions without learning whose they are', async () => {
  const common = {
    assignmentId: 'a1',
    assignmentTitle: 'Tides',
    createdAt: '2026-01-02T00:00:00Z',
    count: 1,
    mayDecide: true,
    maySuspend: true,
  }
  const open: Report[] = [
    {
      ...common,
      _id: 'r1',
      kind: 'review',
      reason: 'Rude to me',
      text: 'You are **stupid**',
      html: '<p>You are <strong>stupid</strong></p>',
      levels: [{ criterion: 'Argument', level: 'Strong' }],
      question: { text: 'Are you a *fool*?', html: '<p>Are you a <em>fool</em>?</p>' },
    },
    {
      ...common,
      _id: 'r4',
      kind: 'submission',
      reason: 'Rude answer',
      docsLink: 'https://docs.example/4',
      answers: [{ text: 'You idiot' }, { text: 'The *second*.', html: '<p>The <em>second</em>.</p>' }],
    },
    {
      ...common,
      _id: 'r2',
      kind: 'submission',
      reason: 'Copied',
      docsLink: 'https://docs.example/1',
      note: 'Mind page two',
    },
    {
      _id: 'r3',
      kind: 'submission',
      reason: 'Withdrawn since',
      createdAt: '2026-01-02T00:00:00Z',
      count: 1,
      gone: true,
      mayDecide: true,
      maySuspend: true,
    },
  ]
  const decisions: unknown[] = []
  serve(
    http.get('*/api/reports', () =>
      HttpResponse.json({ data: open, pagination: { page: 1, limit: 20, total: 3, totalPages: 1 } }),
    ),
    http.post('*/api/reports/:id', async ({ request, params }) => {
      decisions.push([params.id, await request.json()])
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/moderation', ada)
  const review = page.getByRole('article', { name: 'Rude to me' })
  for (const text of [/^A review/, 'stupid', 'Argument', 'Strong', 'Question to the submitter', 'fool']) {
    await expect.element(review.getByText(text)).toBeVisible()
  }
  await button('Suspend', review).click()
  await answerBox(
    'Are you sure?',
    'It will be hidden, and its author’s account closed. You will not learn whose it is.',
    'Cancel',
  )
  const submission = page.getByRole('article', { name: 'Copied' })
  await expect
    .element(submission.getByRole('link', { name: 'https://docs.example/1' }))
    .toHaveAttribute('rel', 'noopener noreferrer')
  await expect.element(submission.getByText('Mind page two')).toBeVisible()
  await expect.element(button('Hide', submission)).not.toBeInTheDocument()
  await button('Suspend', submission).click()
  await answerBox(
    'Are you sure?',
    'The submitter’s account will be closed. You will not learn whose it is.',
    'Suspend',
  )
  const answered = page.getByRole('article', { name: 'Rude answer' })
  for (const text of ['You idiot', 'second']) await expect.element(answered.getByText(text)).toBeVisible()
  await button('Hide', answered).click()
  const hide = page.getByRole('dialog', { name: 'Hide' })
  await expect
    .element(
      hide.getByText('The answers will be hidden, and the work stays. You can restore them under Decisions.'),
    )
    .toBeVisible()
  await hide.getByLabelText('Reason').fill('An insult.')
  await button('Hide', hide).click()
  await expect
    .poll(() => decisions)
    .toEqual([
      ['r2', { action: 'suspend' }],
      ['r4', { action: 'hide', reason: 'An insult.' }],
    ])
  await expect
    .element(page.getByRole('article', { name: 'Withdrawn since' }).getByText('It was deleted.'))
    .toBeVisible()
})

test('reports of one thing are one line with their number; about moderators the operator decides', async () => {
  const open = [
    { ...reported('r1', 'So rude'), count: 12 },
    { ...reported('r2', 'Copied'), mayDecide: false, maySuspend: false },
  ]
  serve(
    http.get('*/api/reports', () =>
      HttpResponse.json({ data: open, pagination: { page: 1, limit: 20, total: 2, totalPages: 1 } }),
    ),
  )
  await renderPage('/moderation', ada)
  await expect.element(page.getByRole('article', { name: 'So rude' }).getByText(/12 reports/)).toBeVisible()
  const own = page.getByRole('article', { name: 'Copied' })
  await expect.element(own.getByText('The operator decides about moderators.')).toBeVisible()
  await expect.element(own.getByText(/1 reports/)).not.toBeInTheDocument()
  await expect.element(own.getByRole('button')).not.toBeInTheDocument()
})

test('a moderator reads what was decided, and restores what is hidden', async () => {
  const restored: unknown[] = []
  const hidden = () => restored.length === 0
  serve(
    http.get('*/api/reports', () =>
      HttpResponse.json({ data: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } }),
    ),
    http.get('*/api/moderation', () => {
      const decision = {
        moderator: 'mo@example.org',
        action: 'hide',
        kind: 'comment',
        subjectId: 'c1',
        assignmentId: 'a1',
        assignmentTitle: 'Tides',
        reason: 'An advertisement',
        at: '2026-01-02T03:04:05Z',
        restorable: hidden(),
      }
      return HttpResponse.json({
        data: [decision],
        pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
      })
    }),
    http.post('*/api/moderation/restore', async ({ request }) => {
      restored.push(await request.json())
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/moderation', { ...ada, moderator: true })
  const decisions = page.getByRole('region', { name: 'Decisions' })
  await expect.element(decisions.getByText('mo@example.org hid a comment · Tides')).toBeVisible()
  await expect.element(decisions.getByRole('time')).toHaveAttribute('datetime', '2026-01-02T03:04:05Z')
  await expect.element(decisions.getByText('An advertisement')).toBeVisible()
  await button('Restore', decisions).click()
  await answerBox('Restore it?', null, 'Restore')
  await expect.element(button('Restore', decisions)).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Decisions' })).toHaveFocus()
  expect(restored).toEqual([{ kind: 'comment', id: 'c1' }])
})

test('for others the page does not exist', async () => {
  serve(
    http.get('*/api/reports', () =>
      HttpResponse.json({ code: 'not-a-moderator', detail: 'This is for moderators.' }, { status: 403 }),
    ),
  )
  await renderPage('/moderation', ada)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Error !Page not found')
  await expect.poll(() => document.title).toBe('Error !Page not found')
})

test('moderators alone have it in the navigation', async () => {
  serve(
    http.get('*/api/reports', () =>
      HttpResponse.json({ data: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } }),
    ),
  )
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Moderation' })
  await renderPage('/about-Us', ada)
  await expect.element(page.getByRole('navigation', { name: 'Main' })).toBeInTheDocument()
  await expect.element(link).not.toBeInTheDocument()
  const address = await renderPage('/about-Us', { ...ada, moderator: true })
  await link.click()
  await expect.element(page.getByText('No reports. All is well.')).toBeVisible()
  expect(address()).toBe('/moderation')
})

test('the creator of a hidden assignment reads it with the reason and cannot change it', async () => {
  serve(
    http.get('*/api/assignment/a1', () =>
      HttpResponse.json({ ...sampleAssignment(), hidden: { reason: 'Copied from a book' } }),
    ),
  )
  await renderPage('/assignment/a1', ada)
  await expect.element(page.getByRole('heading', { name: 'Fractions in short' })).toBeVisible()
  await expect
    .element(page.getByText('A moderator has hidden this assignment. Only you can see it.'))
    .toBeVisible()
  await expect.element(page.getByText('Copied from a book')).toBeVisible()
  await expect.element(page.getByText('Say what you think.')).toBeVisible()
  for (const gone of ['Update', 'Delete']) await expect.element(page.getByText(gone)).not.toBeInTheDocument()
  await expect.element(page.getByRole('region', { name: 'Discussion' })).not.toBeInTheDocument()
})

test('only the pressed button is busy', async () => {
  const late = gate()
  serve(
    http.get('*/api/reports', () =>
      HttpResponse.json({
        data: [reported('r1', 'So rude'), reported('r2', 'Copied')],
        pagination: { page: 1, limit: 20, total: 2, totalPages: 1 },
      }),
    ),
    http.get('*/api/moderation', () => {
      const decision = (subjectId: string) => ({
        moderator: 'mo@example.org',
        action: 'hide',
        kind: 'comment',
        subjectId,
        reason: '',
        at: '2026-01-02T03:04:05Z',
        restorable: true,
      })
      return HttpResponse.json({
        data: [decision('c1'), decision('c2')],
        pagination: { page: 1, limit: 20, total: 2, totalPages: 1 },
      })
    }),
    http.post('*/api/reports/:id', async () => {
      await late.opened
      return HttpResponse.json({ modifiedCount: 1 })
    }),
    http.post('*/api/moderation/restore', async () => {
      await late.opened
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/moderation', { ...ada, moderator: true })
  const busy = () => [...document.querySelectorAll('[aria-busy=true]')].map(({ textContent }) => textContent)
  await button('Dismiss', page.getByRole('article', { name: 'Copied' })).click()
  await expect.poll(busy).toEqual(['Dismiss'])
  const decisions = page.getByRole('region', { name: 'Decisions' })
  await decisions.getByRole('button', { name: 'Restore' }).first().click()
  await answerBox('Restore it?', null, 'Restore')
  await expect.poll(busy).toEqual(['Dismiss', 'Restore'])
  late.open()
  await expect.poll(busy).toEqual([])
})
