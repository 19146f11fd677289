import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { biology, serveCircle } from '@/test/circles'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { button, textbox } from '@/test/screen'
import { serve } from '@/test/serve'

const secret = 'abcdefghijklmnopqrstuvwxyz'
const link = (name: string) => page.getByRole('link', { name, exact: true })
const closed = 'Registration is closed at the moment.'

test('without an invitation no page of an invited server offers to register', async () => {
  const invited = { registration: 'invited' } as const
  for (const path of ['/', '/auth/login', '/auth/register']) {
    await renderPage(path, null, invited)
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.element(link('Register')).not.toBeInTheDocument()
    await expect.element(button('Register')).not.toBeInTheDocument()
  }
  await expect
    .element(page.getByText('You need an invitation to register here.', { exact: false }))
    .toBeVisible()
  await renderPage('/auth/login', null, invited)
  await expect.element(button('Login')).toBeVisible()
  await expect
    .element(page.getByText('New here? To register, open the invitation that you were sent.'))
    .toBeVisible()
})

test('a closed server says so, also to those with an invitation', async () => {
  const access = { registration: 'closed' } as const
  for (const path of ['/auth/login', `/auth/register#${secret}`]) {
    await renderPage(path, null, access)
    await expect.element(page.getByText(closed)).toBeVisible()
    await expect.element(link('Register')).not.toBeInTheDocument()
    await expect.element(button('Register')).not.toBeInTheDocument()
  }
  await renderPage(`/join#${secret}`, null, access)
  await expect.element(page.getByText(closed, { exact: false })).toBeVisible()
  await expect.element(link('Register')).not.toBeInTheDocument()
})

test('an invitation goes along from its link through Login and Register, and joins', async () => {
  const sent: unknown[] = []
  const asked: string[] = []
  serveCircle(
    () => biology,
    http.all('*', ({ request }) => void asked.push(request.url)),
    http.post('*/api/auth/register', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(ada, { status: 201 })
    }),
    http.post('*/api/circles/invited', () => HttpResponse.json({ ...biology, circleId: 'c1', member: true })),
  )
  const address = await renderPage(`/join#${secret}`, null, { registration: 'invited' })
  await expect
    .element(page.getByText('With this link you can also register.', { exact: false }))
    .toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await textbox('Name').fill('Ada')
  await textbox('Email').fill(ada.email)
  await textbox('Photo URL').fill('https://example.org/a.png')
  await page.getByLabelText('Password', { exact: true }).fill('Circle1')
  await button('Register').click()
  await expect.poll(address).toBe('/circle/c1')
  expect(sent).toMatchObject([{ email: ada.email, invitation: secret }])
  expect(asked.join()).not.toContain(secret)
})

test("the operator's link opens the form, and a refusal is told", async () => {
  serveCircle(
    () => null,
    http.post('*/api/auth/register', () =>
      HttpResponse.json({ code: 'registration-closed', detail: 'Only by invitation.' }, { status: 403 }),
    ),
  )
  await renderPage(`/auth/register#${secret}`, null, { registration: 'invited' })
  await expect.element(page.getByText('You have an invitation.', { exact: false })).toBeVisible()
  await textbox('Name').fill('Ada')
  await textbox('Email').fill(ada.email)
  await textbox('Photo URL').fill('https://example.org/a.png')
  await page.getByLabelText('Password', { exact: true }).fill('Circle1')
  await button('Register').click()
  await expect.element(page.getByText('Only by invitation.')).toBeVisible()
})

test('the photo is said to be required before it is missed, and its address gets its https://', async () => {
  const sent: unknown[] = []
  serve(
    http.post('*/api/auth/register', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(ada, { status: 201 })
    }),
  )
  await renderPage('/auth/register')
  const photo = textbox('Photo URL')
  await expect
    .element(photo)
    .toHaveAccessibleDescription(expect.stringMatching(/^Required: the web address of a picture of you/))
  await textbox('Name').fill('Ada')
  await textbox('Email').fill('ada@example.org')
  await textbox('Password').fill('Secret1')
  await button('Register').click()
  await expect.element(photo).toHaveFocus()
  await expect.element(photo).toHaveAttribute('aria-invalid', 'true')
  await photo.fill('example.org/ada.png')
  await textbox('Name').click()
  await expect.element(photo).toHaveValue('https://example.org/ada.png')
  await photo.fill('www.example.org/ada.png')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => sent).toMatchObject([{ photoURL: 'https://www.example.org/ada.png' }])
})
