import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '@/lib/query-client'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { answerBox, button, textbox } from '@/test/screen'
import { serve } from '@/test/serve'
import type { Invitation } from './joining'
import type { Member } from './members-queries'
import type { Circle } from './queries'

beforeEach(() => queryClient.clear())

const everything = { publish: true, grade: true, organize: true, change: true, own: true }
const nothing = { publish: true, grade: true, organize: false, change: false, own: false }

const biology: Circle = {
  _id: 'c1',
  name: 'Biology',
  description: 'Pond *life*.',
  html: '<p>Pond <em>life</em>.</p>',
  role: 'owner',
  members: 2,
  listed: false,
  join: 'invite',
  publishing: 'members',
  grading: 'members',
  createdAt: '2026-01-02T03:04:05Z',
  archivedAt: null,
  may: everything,
}

const listOf = <Row,>(...data: Row[]) => ({
  data,
  pagination: { page: 1, limit: 20, total: data.length, totalPages: data.length > 0 ? 1 : 0 },
})

/** The answers of a circle of Ada's, with the parts that a test gives. */
function serveCircle(circle: () => Circle | null, ...more: Parameters<typeof serve>) {
  serve(
    ...more,
    http.get('*/api/circle/c1', () => {
      const now = circle()
      return now
        ? HttpResponse.json(now, { headers: { ETag: '"1"' } })
        : HttpResponse.json({ code: 'not-found', detail: 'There is no such thing.' }, { status: 404 })
    }),
    http.get('*/api/circle/c1/members', () => HttpResponse.json(listOf())),
    http.get('*/api/circle/c1/invitations', () => HttpResponse.json(listOf())),
    http.get('*/api/circle/c1/asking', () => HttpResponse.json(listOf())),
    http.get('*/api/circles', () => HttpResponse.json(listOf())),
    http.get('*/api/assignments', () => HttpResponse.json(listOf())),
  )
}

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
  await button('Create circle', dialog).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Biology' })).toBeVisible()
  expect(address()).toBe('/circle/c1')
  expect(sent).toEqual([{ name: 'Biology', description: '' }])
})

test('my circles are cards; circles that any user may find have their way in', async () => {
  const listed = (fields: object) => ({ ...biology, role: undefined, ...fields })
  const searches: (string | null)[] = []
  const asked: unknown[] = []
  serve(
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
  await answerBox('Error', 'Another owner changed these settings meanwhile. Look at them and save again.')
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
    },
  ])
})

test('an owner archives a circle, deletes it and restores it', async () => {
  let now: Circle | null = biology
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

const people: Member[] = [
  {
    userId: 'u1',
    displayName: 'Ada',
    photoURL: '',
    role: 'owner',
    label: '',
    joinedAt: '2026-01-02T03:04:05Z',
    email: ada.email,
    name: '',
    may: { role: false, label: true, remove: false },
  },
  {
    userId: 'u2',
    displayName: 'Ben',
    photoURL: '',
    role: 'member',
    label: 'A',
    joinedAt: '2026-01-03T03:04:05Z',
    email: 'ben@example.org',
    name: 'Ben B.',
    lastSeenAt: '2026-01-09T00:00:00Z',
    may: { role: true, label: true, remove: true },
  },
]

test('a member sees the members, without addresses and without what organizers do, and leaves', async () => {
  let now: Circle | null = { ...biology, role: 'member', may: nothing }
  const plain = people.map(
    ({ email: _email, name: _name, lastSeenAt: _seen, may: _may, ...member }) => member,
  )
  serveCircle(
    () => now,
    http.get('*/api/circle/c1/members', () => HttpResponse.json(listOf(...plain))),
    http.post('*/api/circle/c1/leave', () => {
      now = null
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  const address = await renderPage('/circle/c1?tab=members', ada)
  const table = page.getByRole('table', { name: 'Members' })
  await expect.element(table.getByRole('row', { name: /Ben/ })).toBeVisible()
  for (const name of ['Last seen', 'Actions']) {
    await expect.element(table.getByRole('columnheader', { name })).not.toBeInTheDocument()
  }
  await expect.element(button('Invite')).not.toBeInTheDocument()
  await expect.element(page.getByRole('tab', { name: 'Settings' })).not.toBeInTheDocument()
  await button('Leave circle').click()
  await answerBox('Leave this circle?', null, 'Leave')
  await expect.poll(address).toBe('/circles')
})

test('organizers find, change and remove members', async () => {
  const asked: URLSearchParams[] = []
  const sent: unknown[] = []
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/members', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json(listOf(...people))
    }),
    http.patch('*/api/circle/c1/members/u2', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ modifiedCount: 1 })
    }),
    http.delete('*/api/circle/c1/members/:user', ({ params }) => {
      sent.push(params.user)
      return HttpResponse.json({ deletedCount: 1 })
    }),
  )
  const address = await renderPage('/circle/c1?tab=members', ada)
  await page.getByRole('combobox', { name: 'Role' }).selectOptions('Members')
  await page.getByRole('searchbox', { name: 'Search members' }).fill('be')
  await button('Search').click()
  await expect.poll(() => asked.at(-1)?.get('search')).toBe('be')
  expect(asked.at(-1)?.get('role')).toBe('member')
  expect(address()).toBe('/circle/c1?tab=members&search=be&role=member')
  const ben = page.getByRole('row', { name: /Ben/ })
  await expect.element(ben.getByText('ben@example.org')).toBeVisible()
  await button('Edit', ben).click()
  const dialog = page.getByRole('dialog', { name: 'Edit member' })
  await dialog
    .getByRole('combobox', { name: 'Role' })
    .selectOptions('Organizer: manages members and assignments')
  await textbox('Label', dialog).fill('B')
  await button('Save', dialog).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await button('Remove', ben).click()
  await answerBox('Remove this member?', null, 'Remove')
  await expect.poll(() => sent).toEqual([{ role: 'organizer', label: 'B', name: 'Ben B.' }, 'u2'])
  await expect.element(button('Remove', page.getByRole('row', { name: /Ada/ }))).not.toBeInTheDocument()
})

const url = 'https://study.example/join#abcdefghijklmnopqrstuvwxyz'

test('an invitation’s link is shown once, to copy; the invitation can be revoked', async () => {
  let made: Invitation[] = []
  let revokedAt: string | null = null
  const sent: unknown[] = []
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/invitations', () => HttpResponse.json(listOf(...made))),
    http.post('*/api/circle/c1/invitations', async ({ request }) => {
      sent.push(await request.json())
      made = [
        {
          _id: 'i1',
          role: 'member',
          label: '',
          uses: 30,
          expiresAt: '2099-01-02T00:00:00Z',
          onlyEmail: '',
          onlyDomain: 'school.example',
          createdAt: '2026-01-02T00:00:00Z',
          joined: [],
          joins: 0,
          revokedAt,
        },
      ]
      return HttpResponse.json({ _id: 'i1', url }, { status: 201 })
    }),
    http.delete('*/api/circle/c1/invitations/i1', () => {
      revokedAt = '2026-01-03T00:00:00Z'
      made = made.map((one) => ({ ...one, revokedAt }))
      return HttpResponse.json({ deletedCount: 1 })
    }),
  )
  await renderPage('/circle/c1?tab=members', ada)
  await button('Invite').click()
  const dialog = page.getByRole('dialog', { name: 'Invite' })
  await textbox('Uses', dialog).fill('none')
  await button('Make a link', dialog).click()
  await expect.element(dialog.getByText('A whole number from 1 to 100,000.')).toBeVisible()
  await textbox('Uses', dialog).fill('30')
  await textbox('Only for addresses at this domain', dialog).fill('school.example')
  await button('Make a link', dialog).click()
  const link = page.getByRole('dialog', { name: 'Your invitation' })
  await expect.element(textbox('Link', link)).toHaveValue(url)
  await expect.element(button('Copy', link)).toHaveFocus()
  await button('Done', link).click()
  expect(sent).toMatchObject([{ role: 'member', uses: 30, onlyDomain: 'school.example' }])
  const row = page.getByRole('region', { name: 'Invitations' }).getByRole('listitem')
  await expect.element(row.getByText('30 uses left, until 2099/01/02')).toBeVisible()
  expect(document.body.textContent).not.toContain(url)
  await button('Revoke', row).click()
  await answerBox('Revoke this invitation?', null, 'Revoke')
  await expect.element(row.getByText('Revoked')).toBeVisible()
  await expect.element(button('Revoke', row)).not.toBeInTheDocument()
})

test('organizers decide on users who ask', async () => {
  let asking = [{ userId: 'u9', displayName: 'Hina', photoURL: '', askedAt: '2026-01-02T00:00:00Z' }]
  const sent: unknown[] = []
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/asking', () => HttpResponse.json(listOf(...asking))),
    http.post('*/api/circle/c1/asking/u9', async ({ request }) => {
      sent.push(await request.json())
      asking = []
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/circle/c1?tab=members', ada)
  const region = page.getByRole('region', { name: 'Asking to join' })
  await button('Accept', region).click()
  await expect.element(region).not.toBeInTheDocument()
  expect(sent).toEqual([{ accept: true }])
})

test('a roster is tried first, and not uploaded while a line is refused', async () => {
  const sent: unknown[] = []
  serveCircle(
    () => biology,
    http.post('*/api/circle/c1/roster', async ({ request }) => {
      const text = await request.text()
      const isTrial = new URL(request.url).searchParams.get('dryRun') === 'true'
      sent.push([isTrial, request.headers.get('Content-Type'), text])
      const refused = text.includes('wrong') ? [{ line: 2, reason: 'This is not an email address.' }] : []
      return HttpResponse.json({ added: 1, invited: 2, changed: 0, unchanged: 3, refused })
    }),
  )
  await renderPage('/circle/c1?tab=members', ada)
  await button('Upload a roster').click()
  const dialog = page.getByRole('dialog', { name: 'Upload a roster' })
  const file = dialog.getByLabelText('File')
  const upload = button('Upload', dialog)
  await userEvent.upload(file, new File(['email\nwrong'], 'class.csv', { type: 'text/csv' }))
  await expect.element(dialog.getByText('One line has to be corrected first.')).toBeVisible()
  await expect.element(dialog.getByText(/This is not an email address/)).toBeVisible()
  await expect.element(upload).toHaveAttribute('aria-disabled', 'true')
  const good = 'email\nben@example.org'
  await userEvent.upload(file, new File([good], 'class.csv', { type: 'text/csv' }))
  await expect.element(dialog.getByText('get an invitation by email')).toBeVisible()
  await upload.click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sent).toEqual([
    [true, 'text/csv', 'email\nwrong'],
    [true, 'text/csv', good],
    [false, 'text/csv', good],
  ])
})
