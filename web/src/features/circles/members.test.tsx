import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '@/lib/query-client'
import { biology, listOf, nothing, serveCircle } from '@/test/circles'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { answerBox, button, textbox } from '@/test/screen'
import type { Invitation } from '@/entities/circle/joining'
import type { Member } from '@/entities/circle/members'
import type { Circle } from '@/entities/circle/queries'

beforeEach(() => queryClient.clear())

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
    email: 'ben.with.a.long.address@a-school.example.org',
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
  await expect.element(ben.getByText('ben.with.a.long.address@a-school.example.org')).toBeVisible()
  await button('Actions', ben).click()
  await button('Edit', ben).click()
  const dialog = page.getByRole('dialog', { name: 'Edit member' })
  await dialog
    .getByRole('combobox', { name: 'Role' })
    .selectOptions('Organizer: manages members and assignments')
  await textbox('Section', dialog).fill('B')
  await button('Save', dialog).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(button('Actions', ben)).toHaveFocus()
  await button('Actions', ben).click()
  await button('Remove', ben).click()
  await answerBox('Remove this member?', null, 'Remove')
  await expect.poll(() => sent).toEqual([{ role: 'organizer', label: 'B', name: 'Ben B.' }, 'u2'])
  const own = page.getByRole('row', { name: /Ada/ })
  await button('Actions', own).click()
  await expect.element(button('Edit', own)).toBeVisible()
  await expect.element(button('Remove', own)).not.toBeInTheDocument()
})

test('a row of a phone is low, and its menu says what it has no room for', async () => {
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/members', () => HttpResponse.json(listOf(...people))),
  )
  await renderPage('/circle/c1?tab=members', ada)
  await page.viewport(390, 844)
  const ben = page.getByRole('row', { name: /Ben/ })
  await expect.poll(() => ben.element().getBoundingClientRect().height).toBeLessThanOrEqual(64)
  await expect.element(ben.getByRole('link', { name: 'A', exact: true })).toBeVisible()
  const menu = button('Actions', ben)
  await expect.element(menu).toHaveAccessibleDescription(/Ben/)
  await menu.click()
  await expect.element(menu).toHaveAttribute('aria-expanded', 'true')
  for (const [word, value] of [
    ['Name in this circle', 'Ben B.'],
    ['Email', 'ben.with.a.long.address@a-school.example.org'],
    ['Last seen', '2026/01/09'],
  ]) {
    await expect.element(ben.getByRole('term').filter({ hasText: word })).toBeVisible()
    await expect.element(ben.getByRole('definition').filter({ hasText: value })).toBeVisible()
  }
  await userEvent.keyboard('{Tab}')
  await expect.element(button('Edit', ben)).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Edit', ben)).not.toBeInTheDocument()
  await expect.element(menu).toHaveFocus()
  await menu.click()
  await page.getByRole('heading', { name: 'Members', exact: true }).click()
  await expect.element(button('Edit', ben)).not.toBeInTheDocument()
  await page.viewport(1280, 800)
  await expect.poll(() => ben.element().getBoundingClientRect().height).toBeLessThanOrEqual(64)
  await expect.element(ben.getByText('2026/01/09')).toBeVisible()
})

const url = 'https://study.example/join#abcdefghijklmnopqrstuvwxyz'

const invitation: Invitation = {
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
  revokedAt: null,
}

test('an invitation’s link is shown once, to copy; the invitation can be revoked', async () => {
  let made: Invitation[] = []
  const sent: unknown[] = []
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/invitations', () => HttpResponse.json(listOf(...made))),
    http.post('*/api/circle/c1/invitations', async ({ request }) => {
      sent.push(await request.json())
      made = [invitation]
      return HttpResponse.json({ _id: 'i1', url }, { status: 201 })
    }),
    http.delete('*/api/circle/c1/invitations/i1', () => {
      made = made.map((one) => ({ ...one, revokedAt: '2026-01-03T00:00:00Z' }))
      return HttpResponse.json({ deletedCount: 1 })
    }),
  )
  await renderPage('/circle/c1?tab=members', ada)
  await button('Invite').click()
  const dialog = page.getByRole('dialog', { name: 'Invite' })
  await textbox('Uses', dialog).fill('none')
  await button('Create link', dialog).click()
  await expect.element(dialog.getByText('A whole number from 1 to 100,000.')).toBeVisible()
  await textbox('Uses', dialog).fill('30')
  await textbox('Only for addresses at this domain', dialog).fill('school.example')
  await button('Create link', dialog).click()
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

test('the invitations of an archived circle are only read', async () => {
  serveCircle(
    () => ({ ...biology, archivedAt: '2026-01-03T00:00:00Z', may: { ...nothing, own: true } }),
    http.get('*/api/circle/c1/invitations', () => HttpResponse.json(listOf(invitation))),
  )
  await renderPage('/circle/c1?tab=members', ada)
  const row = page.getByRole('region', { name: 'Invitations' }).getByRole('listitem')
  await expect.element(row.getByText('30 uses left, until 2099/01/02')).toBeVisible()
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
  await expect.element(dialog.getByText('One line must be corrected first.')).toBeVisible()
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

test('the mended file is chosen again under the same name, and leaving the file chooser keeps the dialog', async () => {
  let trials = 0
  serveCircle(
    () => biology,
    http.post('*/api/circle/c1/roster', async ({ request }) => {
      trials++
      const refused = (await request.text()).includes('wrong') ? [{ line: 2, reason: 'Not an address.' }] : []
      return HttpResponse.json({ added: 4, invited: 0, changed: 0, unchanged: 0, refused })
    }),
  )
  await renderPage('/circle/c1?tab=members', ada)
  await button('Upload a roster').click()
  const dialog = page.getByRole('dialog', { name: 'Upload a roster' })
  const file = dialog.getByLabelText('File')
  await userEvent.upload(file, new File(['email\nwrong'], 'class.csv', { type: 'text/csv' }))
  await expect.element(dialog.getByText('One line must be corrected first.')).toBeVisible()
  expect((file.element() as HTMLInputElement).value, 'another choice of this file is a change').toBe('')
  await userEvent.upload(file, new File(['email\nben@example.org'], 'class.csv', { type: 'text/csv' }))
  await expect.element(dialog.getByText('join at once')).toBeVisible()
  expect(trials).toBe(2)
  // Chromium fires this when its file chooser is left, or the same file was chosen.
  file.element().dispatchEvent(new Event('cancel', { bubbles: true, cancelable: false }))
  await expect.element(dialog.getByText('join at once')).toBeVisible()
  await expect.element(dialog.getByText('class.csv')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a file with unknown headings asks which columns to read, in whatever encoding it is', async () => {
  const sent: unknown[] = []
  serveCircle(
    () => biology,
    http.post('*/api/circle/c1/roster', async ({ request }) => {
      const { searchParams } = new URL(request.url)
      const columns = searchParams.get('columns')
      sent.push([searchParams.get('dryRun'), columns, [...new Uint8Array(await request.arrayBuffer())]])
      const none = { added: 0, invited: 0, changed: 0, unchanged: 0, refused: [] }
      if (columns) return HttpResponse.json({ ...none, added: 1 })
      return HttpResponse.json({
        ...none,
        refused: [{ line: 1, reason: 'The first line must name the columns.' }],
        columns: [
          { heading: 'Wer', example: 'Jürgen' },
          { heading: 'Kontakt', example: 'j@example.org' },
        ],
      })
    }),
  )
  await renderPage('/circle/c1?tab=members', ada)
  await button('Upload a roster').click()
  const dialog = page.getByRole('dialog', { name: 'Upload a roster' })
  const bytes = Uint8Array.from('Wer;Kontakt\nJürgen;j@example.org', (c) => c.charCodeAt(0))
  await userEvent.upload(dialog.getByLabelText('File'), new File([bytes], 'Klasse.csv', { type: 'text/csv' }))
  const email = dialog.getByRole('combobox', { name: 'Which column is the email address?' })
  await expect.element(email).toHaveValue('2')
  await expect.element(button('Upload', dialog)).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('combobox', { name: 'Which column is the name?' }).selectOptions('Wer: Jürgen')
  await button('Use these columns', dialog).click()
  await expect.element(dialog.getByText('join at once')).toBeVisible()
  await button('Upload', dialog).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const raw = [...bytes]
  expect(sent).toEqual([
    ['true', null, raw],
    ['true', 'email=#2,name=#1', raw],
    ['false', 'email=#2,name=#1', raw],
  ])
})

test('members who are not in the file are listed; their memberships end only by a choice', async () => {
  const ends: unknown[] = []
  serveCircle(
    () => biology,
    http.post('*/api/circle/c1/roster', ({ request }) => {
      const { searchParams } = new URL(request.url)
      if (searchParams.get('dryRun') === 'false') ends.push(searchParams.get('end'))
      const data = ['Cai', 'Dot'].map((name) => ({
        userId: name,
        displayName: name,
        email: `${name}@example.org`,
      }))
      return HttpResponse.json({
        added: 0,
        invited: 0,
        changed: 0,
        unchanged: 1,
        refused: [],
        ...(searchParams.get('dryRun') === 'true' && { missing: { total: 2, key: 'k1', data } }),
      })
    }),
  )
  await renderPage('/circle/c1?tab=members', ada)
  for (const ending of [false, true]) {
    await button('Upload a roster').click()
    const dialog = page.getByRole('dialog', { name: 'Upload a roster' })
    await userEvent.upload(
      dialog.getByLabelText('File'),
      new File(['email\nben@example.org'], 'class.csv', { type: 'text/csv' }),
    )
    await expect.element(dialog.getByText('2 members are not in this file.')).toBeVisible()
    await expect
      .element(dialog.getByRole('list', { name: 'Not in this file' }).getByRole('listitem').nth(1))
      .toHaveTextContent('Dot, Dot@example.org')
    const choice = dialog.getByRole('checkbox', { name: 'End these memberships' })
    await expect.element(choice).not.toBeChecked()
    if (ending) {
      await choice.click()
      await userEvent.upload(
        dialog.getByLabelText('File'),
        new File(['email\ncai@example.org'], 'other.csv', { type: 'text/csv' }),
      )
      await expect.element(dialog.getByText('other.csv')).toBeVisible()
      await expect.element(choice, { message: 'it was for the other file' }).not.toBeChecked()
      await choice.click()
    }
    await button('Upload', dialog).click()
    await expect.element(dialog).not.toBeInTheDocument()
  }
  expect(ends).toEqual([null, 'k1'])
})

test('organizers save the members as a file, and members are sorted by name', async () => {
  const asked: string[] = []
  const saved: string[] = []
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/members', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('sort') ?? '')
      return HttpResponse.json(listOf(...people))
    }),
    http.get('*/api/circle/c1/members.csv', ({ request }) => {
      saved.push(new URL(request.url).search)
      return new HttpResponse('email\r\n', { headers: { 'Content-Type': 'text/csv; charset=utf-8' } })
    }),
  )
  const address = await renderPage('/circle/c1?tab=members', ada)
  await button('Members as a file').click()
  await expect.poll(() => saved).toEqual(['?bom=true'])
  await page.getByRole('combobox', { name: 'Order' }).selectOptions('By family name')
  await expect.poll(() => asked.at(-1)).toBe('family')
  expect(address()).toBe('/circle/c1?tab=members&sort=family')
})

test('a member who is not in the list any more is not asked to become owner', async () => {
  const asked: unknown[] = []
  serveCircle(
    () => biology,
    http.get('*/api/circle/c1/members', ({ request }) => {
      const search = new URL(request.url).searchParams.get('search')
      const cai = { ...people[1], userId: 'u3', displayName: 'Cai' } as Member
      return HttpResponse.json(
        listOf(...[...people, cai].filter(({ displayName }) => !search || displayName === search)),
      )
    }),
    http.post('*/api/circle/c1/handover', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ modifiedCount: 1 })
    }),
  )
  await renderPage('/circle/c1?tab=settings', ada)
  await button('Hand over').click()
  const dialog = page.getByRole('dialog', { name: 'Hand over this circle' })
  await dialog.getByRole('radio', { name: /Ben/ }).click()
  await dialog.getByRole('searchbox').fill('Cai')
  await button('Search', dialog).click()
  await expect.element(dialog.getByRole('radio', { name: /Ben/ })).not.toBeInTheDocument()
  await button('Ask them', dialog).click()
  await expect.element(dialog.getByText('Choose a member.')).toBeVisible()
  await dialog.getByRole('radio', { name: /Cai/ }).click()
  await button('Ask them', dialog).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(asked).toEqual([{ userId: 'u3' }])
})
