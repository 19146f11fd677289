import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '@/lib/query-client'
import { biology, listOf, nothing, serveCircle } from '@/test/circles'
import { renderPage } from '@/test/render-page'
import { ada, sampleAssignment } from '@/test/samples'
import { answerBox, button, textbox, texts } from '@/test/screen'
import { serve } from '@/test/serve'
import type { Circle } from '@/entities/circle/queries'

beforeEach(() => queryClient.clear())

test('a newcomer founds a circle and gets into it', async () => {
  const sent: unknown[] = []
  serveCircle(
    () => biology,
    http.post('*/api/circles', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ insertedId: 'c1' }, { status: 201 })
    }),
  )
  const address = await renderPage('/circles', ada)
  await expect.element(page.getByText('You are in no circle yet.')).toBeVisible()
  await button('New circle').click()
  const dialog = page.getByRole('dialog', { name: 'New circle' })
  await button('Create circle', dialog).click()
  await expect.element(dialog.getByText('Name the circle.')).toBeVisible()
  await textbox('Name', dialog).fill('  Biology ')
  await dialog.getByRole('radio', { name: 'Class: only organizers publish assignments' }).click()
  await button('Create circle', dialog).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Biology' })).toBeVisible()
  expect(address()).toBe('/circle/c1')
  expect(sent).toEqual([{ name: 'Biology', publishing: 'organizers', description: '' }])
})

test('a new circle has its owner’s first steps, which tick until they are done', async () => {
  let now: Circle = { ...biology, members: 1 }
  let published: ReturnType<typeof sampleAssignment>[] = []
  let exemplars = 0
  serveCircle(
    () => now,
    http.get('*/api/assignments', () => HttpResponse.json(listOf(...published))),
    http.get('*/api/assignment/:id/exemplars', () =>
      HttpResponse.json({ data: Array.from({ length: exemplars }, (_, n) => ({ _id: `e${n}`, mark: n })) }),
    ),
  )
  const setUp = page.getByRole('region', { name: 'Set up your circle' })
  const steps = () => texts(setUp.getByRole('listitem'))
  const reload = async () => {
    queryClient.clear()
    return renderPage('/circle/c1', ada)
  }
  const address = await reload()
  await expect
    .poll(steps)
    .toEqual(['Invite members', 'Publish an assignment', 'Add two exemplars, work with known marks'])
  await setUp.getByRole('link', { name: 'Invite members' }).click()
  await expect.poll(address).toBe('/circle/c1?tab=members')
  now = { ...biology, members: 2 }
  published = [{ ...sampleAssignment(), reviewsNeeded: 3 }]
  await reload()
  await expect
    .poll(steps)
    .toEqual([
      'Done: Invite members',
      'Done: Publish an assignment',
      'Add two exemplars, work with known marks',
    ])
  await expect
    .element(setUp.getByRole('link', { name: 'Add two exemplars, work with known marks' }))
    .toHaveAttribute('href', '/assignment/a1#results')
  exemplars = 2
  await reload()
  await expect.element(page.getByRole('heading', { name: 'Assignments' })).toBeVisible()
  await expect.element(setUp).not.toBeInTheDocument()
})

test('the first steps are an owner’s, and gone once dismissed', async () => {
  let now: Circle = {
    ...biology,
    _id: 'c1',
    members: 1,
    role: 'organizer',
    may: { ...nothing, organize: true },
  }
  serveCircle(() => now)
  const setUp = page.getByRole('region', { name: 'Set up your circle' })
  await renderPage('/circle/c1', ada)
  await expect.element(page.getByText('No assignments here yet.')).toBeVisible()
  await expect.element(setUp).not.toBeInTheDocument()
  now = { ...biology, members: 1 }
  queryClient.clear()
  await renderPage('/circle/c1', ada)
  await button('Dismiss', setUp).click()
  await expect.element(setUp).not.toBeInTheDocument()
  queryClient.clear()
  await renderPage('/circle/c1', ada)
  await expect.element(page.getByText('No assignments here yet.')).toBeVisible()
  await expect.element(setUp).not.toBeInTheDocument()
})

test('my circles are cards; circles that any user may find have their way in', async () => {
  const listed = (fields: object) => ({ ...biology, role: undefined, ...fields })
  const searches: (string | null)[] = []
  const asked: unknown[] = []
  serve(
    http.get('*/api/circles/invited', () => HttpResponse.json({ data: [] })),
    http.post('*/api/circle/:id/ask', ({ params }) => {
      asked.push(params.id)
      return HttpResponse.json({ modifiedCount: 1 })
    }),
    http.get('*/api/circles', ({ request }) => {
      const { searchParams } = new URL(request.url)
      if (searchParams.has('deleted')) return HttpResponse.json(listOf())
      if (!searchParams.has('listed')) return HttpResponse.json(listOf(biology))
      searches.push(searchParams.get('search'))
      return HttpResponse.json(
        listOf(
          listed({ _id: 'l1', name: 'Chess', join: 'open', mayJoin: true }),
          listed({
            _id: 'l2',
            name: 'Choir',
            join: 'ask',
            asked: asked.length > 0,
            mayAsk: asked.length === 0,
          }),
          listed({ _id: 'l3', name: 'Council', join: 'invite' }),
          listed({ _id: 'l4', name: 'Cooks', join: 'open', role: 'member' }),
        ),
      )
    }),
  )
  const address = await renderPage('/circles', ada)
  const card = page.getByRole('article', { name: 'Biology' })
  await expect.element(card.getByRole('link', { name: 'Biology' })).toHaveAttribute('href', '/circle/c1')
  await expect.element(card.getByText('Owner')).toBeVisible()
  await expect.element(card.getByText('2 members')).toBeVisible()
  const of = (name: string) => page.getByRole('article', { name })
  await expect.element(button('Join', of('Chess'))).toBeVisible()
  await expect.element(of('Council').getByText('By invitation')).toBeVisible()
  await expect.element(of('Cooks').getByRole('link', { name: 'Open' })).toHaveAttribute('href', '/circle/l4')
  await button('Ask to join', of('Choir')).click()
  await expect.element(of('Choir').getByText('Asked')).toBeVisible()
  expect(asked).toEqual(['l2'])
  await page.getByRole('searchbox', { name: 'Search circles' }).fill('ch')
  await button('Search').click()
  await expect.poll(() => searches.at(-1)).toBe('ch')
  expect(address()).toBe('/circles?search=ch')
})

test('an invitation is accepted by one press, declined, or refused for good', async () => {
  const invited = (id: string, circleName: string, more: object = {}) => ({
    _id: id,
    circleName,
    invitedBy: 'Mina Lund',
    role: 'member',
    invitedAt: '2026-01-02T03:04:05Z',
    expiresAt: '2027-01-02T03:04:05Z',
    ...more,
  })
  let waiting = [
    invited('i1', 'Traps'),
    invited('i2', 'Spam', { invitedBy: undefined }),
    invited('i3', 'Biology', { role: 'organizer' }),
  ]
  const sent: string[] = []
  serveCircle(
    () => biology,
    http.get('*/api/circles/invited', () => HttpResponse.json({ data: waiting })),
    http.post('*/api/circles/invited/:id/:answer', ({ params }) => {
      sent.push(`${String(params.id)} ${String(params.answer)}`)
      waiting = waiting.filter(({ _id }) => _id !== params.id)
      return HttpResponse.json(params.answer === 'accept' ? { circleId: 'c1' } : { modifiedCount: 1 })
    }),
  )
  const address = await renderPage('/circles', ada)
  const region = page.getByRole('region', { name: 'Invitations' })
  const row = (name: string) => region.getByRole('listitem').filter({ hasText: name })
  await expect.element(row('Traps').getByText('Mina Lund invites you to this circle.')).toBeVisible()
  await expect.element(row('Spam').getByText('You are invited to this circle.')).toBeVisible()
  await expect
    .element(row('Biology').getByText('Mina Lund invites you to organize this circle.'))
    .toBeVisible()
  await button('Decline', row('Traps')).click()
  await expect.element(row('Traps')).not.toBeInTheDocument()
  await button('No more from this circle', row('Spam')).click()
  await expect.element(row('Spam')).not.toBeInTheDocument()
  await button('Accept', row('Biology')).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Biology' })).toBeVisible()
  expect(address()).toBe('/circle/c1')
  expect(sent).toEqual(['i1 decline', 'i2 block', 'i3 accept'])
})

test('a link is named only to users, and its secret is in no address', async () => {
  const secret = 'abcdefghijklmnopqrstuvwxyz'
  const asked: string[] = []
  const sent: unknown[] = []
  serveCircle(
    () => biology,
    http.all('*', ({ request }) => void asked.push(request.url)),
    http.post('*/api/circles/invited', async ({ request }) => {
      const body = (await request.json()) as { secret: string }
      return body.secret === secret
        ? HttpResponse.json({ ...biology, circleId: 'c1' })
        : HttpResponse.json({ code: 'not-found', detail: 'There is no such thing.' }, { status: 404 })
    }),
    http.post('*/api/circles/join', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ circleId: 'c1' })
    }),
  )
  await renderPage(`/join#${secret}`)
  await expect.element(page.getByRole('heading', { name: 'You are invited to a circle' })).toBeVisible()
  await expect.element(page.getByRole('main').getByRole('link', { name: 'Register' })).toBeVisible()
  expect(asked.join()).not.toContain('/api/circles/invited')

  const address = await renderPage(`/join#${secret}`, ada)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Biology' })).toBeVisible()
  await button('Join this circle').click()
  await expect.poll(address).toBe('/circle/c1')
  expect(sent).toEqual([{ secret }])
  expect(asked.join()).not.toContain(secret)

  await renderPage('/join#zyxwvutsrqponmlkjihgfedcba', ada)
  await expect.element(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await renderPage('/join', ada)
  await expect.element(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
})

test('owners change the settings; one that another owner changed meanwhile follows', async () => {
  let now = biology
  const sent: unknown[] = []
  serveCircle(
    () => now,
    http.put('*/api/circle/c1', async ({ request }) => {
      sent.push(request.headers.get('If-Match'))
      const settings = (await request.json()) as Partial<Circle>
      sent.push(settings)
      now = { ...now, ...settings }
      return HttpResponse.json({ matchedCount: 1, modifiedCount: 1 })
    }),
  )
  await renderPage('/circle/c1?tab=settings', ada)
  await expect.element(page.getByRole('tab', { name: 'Settings' })).toHaveAttribute('aria-selected', 'true')
  await textbox('Name').fill('Botany')
  now = { ...now, publishing: 'organizers' }
  await button('Save').click()
  await answerBox('Error', 'Another owner has changed these settings. Review them and save again.')
  await expect.element(page.getByRole('combobox', { name: 'Publishing' })).toHaveValue('organizers')
  await expect.element(textbox('Name')).toHaveValue('Botany')
  await page.getByRole('checkbox', { name: /^Listed/ }).click()
  await button('Save').click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Botany' })).toBeVisible()
  expect(sent).toEqual([
    '"1"',
    {
      name: 'Botany',
      description: 'Pond *life*.',
      listed: true,
      join: 'invite',
      publishing: 'organizers',
      grading: 'members',
      countsAccuracy: false,
    },
  ])
})

test('an owner archives a circle, deletes it and restores it', async () => {
  let now: Circle | null = biology
  const exported: (string | null)[] = []
  serveCircle(
    () => now,
    http.get('*/api/circles', ({ request }) => {
      const { searchParams } = new URL(request.url)
      if (searchParams.has('listed')) return HttpResponse.json(listOf())
      if (!searchParams.has('deleted')) return HttpResponse.json(now ? listOf(now) : listOf())
      const gone = {
        _id: 'c1',
        name: 'Biology',
        members: 2,
        deletedAt: '2026-02-03T12:00:00Z',
        restorableUntil: '2026-03-05T12:00:00Z',
      }
      return HttpResponse.json(now ? listOf() : listOf(gone))
    }),
    http.post('*/api/circle/c1/archive', () => {
      now = {
        ...biology,
        archivedAt: '2026-02-03T00:00:00Z',
        may: { ...nothing, publish: false, grade: false, own: true },
      }
      return HttpResponse.json({ modifiedCount: 1 })
    }),
    http.get('*/api/circle/c1/export', ({ request }) => {
      exported.push(new URL(request.url).searchParams.get('codes'))
      return exported.length === 1
        ? HttpResponse.json({ detail: 'This circle cannot be exported now.' }, { status: 500 })
        : new HttpResponse(new Blob(['PK']), { headers: { 'Content-Type': 'application/zip' } })
    }),
    http.delete('*/api/circle/c1', () => {
      now = null
      return HttpResponse.json({ deletedCount: 1 })
    }),
    http.post('*/api/circle/c1/restore', () => {
      now = biology
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  const address = await renderPage('/circle/c1?tab=settings', ada)
  await button('Export circle').click()
  await answerBox('Error', 'This circle cannot be exported now.')
  await page.getByRole('checkbox', { name: /Codes instead of names/ }).click()
  await button('Export circle').click()
  await expect.poll(() => exported).toEqual(['false', 'true'])
  await button('Archive circle').click()
  await answerBox('Archive this circle?', null, 'Archive')
  await expect
    .element(page.getByText('This circle is archived: it can be read, but not changed.'))
    .toBeVisible()
  await expect.element(button('Bring it back')).toBeVisible()
  await expect.element(button('Save')).not.toBeInTheDocument()
  await button('Delete circle').click()
  await answerBox('Delete this circle?', null, 'Delete')
  await expect.poll(address).toBe('/circles')
  const deleted = page.getByRole('region', { name: 'Deleted' })
  await expect.element(deleted.getByText(/kept until 2026\/03\/05/)).toBeVisible()
  await button('Restore', deleted).click()
  await expect.element(deleted).not.toBeInTheDocument()
  await expect.element(page.getByRole('article', { name: 'Biology' })).toBeVisible()
})

test('settings that were not saved are still typed when the tab is opened again', async () => {
  serveCircle(() => biology)
  await renderPage('/circle/c1?tab=settings', ada)
  await textbox('Name').fill('Botany')
  await renderPage('/circle/c1?tab=members', ada)
  await renderPage('/circle/c1?tab=settings', ada)
  await expect.element(textbox('Name')).toHaveValue('Botany')
  await expect.element(textbox('Description')).toHaveValue('Pond *life*.')
})

test('the arrow keys go through the tabs as they stand, also from right to left', async () => {
  serveCircle(() => biology)
  await renderPage('/circle/c1', ada)
  const tab = (name: string) => page.getByRole('tab', { name })
  await expect.element(tab('Assignments')).toBeVisible()
  const focusOn = (name: string) => tab(name).element().focus()
  try {
    for (const [dir, key] of [
      ['ltr', 'ArrowRight'],
      ['rtl', 'ArrowLeft'],
    ] as const) {
      document.documentElement.dir = dir
      focusOn('Assignments')
      await userEvent.keyboard(`{${key}}`)
      await expect.element(tab('Pending')).toHaveFocus()
    }
  } finally {
    document.documentElement.removeAttribute('dir')
  }
})
