import { http, HttpResponse, type HttpHandler } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { answerBox, button, texts, textbox } from '@/test/screen'
import { serve } from '@/test/serve'

const region = page.getByRole('region', { name: 'Where you are signed in' })

const sampleSession = (fields: { _id: string; device: string; current: boolean }) => ({
  createdAt: '2026-01-02T03:04:05Z',
  lastSeenAt: '2026-01-02T03:04:00Z',
  expiresAt: '2099-01-02T03:04:05Z',
  ...fields,
})
const here = sampleSession({ _id: 'here', device: 'Chromium on Linux', current: true })
const there = sampleSession({ _id: 'there', device: 'Firefox on Linux', current: false })

/** Ada's profile page; what a test says of its own comes first. */
async function openProfile(...handlers: HttpHandler[]): Promise<void> {
  const { email, displayName } = ada
  serve(
    ...handlers,
    http.get('*/api/auth/account', () =>
      HttpResponse.json({
        email,
        displayName,
        photoURL: '',
        createdAt: here.createdAt,
        emailVerified: true,
        hasPassword: true,
      }),
    ),
    http.get('*/api/auth/methods', () =>
      HttpResponse.json({ emailVerified: true, password: true, providers: [], passkeys: [] }),
    ),
    http.get('*/api/auth/sessions', () => HttpResponse.json([here, there])),
  )
  await renderPage('/profile', ada)
}

test('a refused name is reported under its field, and an accepted one shows in the header', async () => {
  const errors = [{ location: 'body.displayName', message: 'Not this name.' }]
  let refusing = true
  await openProfile(
    http.patch('*/api/auth/profile', () =>
      refusing
        ? HttpResponse.json({ code: 'invalid', detail: 'x', errors }, { status: 422 })
        : HttpResponse.json({ ...ada, displayName: 'Ada the Second' }),
    ),
  )
  await textbox('Name').fill('Ada the Second')
  await button('Save').click()
  await expect.element(page.getByText('Not this name.')).toBeVisible()
  await expect.element(textbox('Name')).toHaveFocus()
  refusing = false
  await button('Save').click()
  await expect
    .element(page.getByRole('banner').getByRole('img', { name: 'Ada the Second' }))
    .toBeInTheDocument()
})

test('sessions that cannot be fetched say why, with Retry', async () => {
  let failing = true
  await openProfile(
    http.get('*/api/auth/sessions', () =>
      failing
        ? HttpResponse.json({ detail: 'Away.' }, { status: 503, headers: { 'Retry-After': '1' } })
        : HttpResponse.json([here]),
    ),
  )
  await expect.element(region.getByText('Away. Try again in 1 second.')).toBeVisible()
  failing = false
  await button('Retry', region).click()
  await expect.element(region.getByText('This device')).toBeVisible()
  await expect.element(region.getByRole('listitem')).toHaveLength(1)
})

test('a session that could not be ended stays in the list with the reason', async () => {
  const ended: string[] = []
  await openProfile(
    http.delete('*/api/auth/sessions', ({ request }) => {
      ended.push(new URL(request.url).pathname)
      return HttpResponse.json({ detail: 'Not now.' }, { status: 500 })
    }),
  )
  await button('Sign out everywhere else', region).click()
  await answerBox('Error', 'Not now.')
  expect(ended).toEqual(['/api/auth/sessions'])
  expect(texts(region.getByRole('listitem')).map((text) => /Chromium|Firefox/.exec(text)?.[0])).toEqual([
    'Chromium',
    'Firefox',
  ])
})
