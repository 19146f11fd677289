import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada, ben } from '@/test/samples'
import { button, textbox } from '@/test/screen'
import { serve } from '@/test/serve'

test('a limit says when to try again, also where its sentence does not', async () => {
  serve(
    http.post('*/api/auth/login', () =>
      HttpResponse.json(
        { code: 'rate-limited', detail: 'Limit reached.' },
        { status: 429, headers: { 'Retry-After': '120' } },
      ),
    ),
  )
  await renderPage('/auth/login')
  await textbox('Email').fill(ada.email)
  await page.getByLabelText('Password', { exact: true }).fill('Circle1')
  await button('Login').click()
  await expect
    .element(page.getByText('Limit reached. Try again in 2 minutes.', { exact: false }))
    .toBeVisible()
})

test('a failed logout is reported, and the user stays signed in', async () => {
  serve(http.post('*/api/auth/logout', () => HttpResponse.json({ detail: 'x' }, { status: 500 })))
  const address = await renderPage('/about-Us', ada)
  await button('Logout').click()
  await expect.element(page.getByRole('alert').filter({ hasText: 'Logout failed' })).toBeVisible()
  await expect.element(button('Logout')).toBeEnabled()
  expect(address()).toBe('/about-Us')
})

test('logging out drops what the user typed', async () => {
  serve(http.post('*/api/auth/logout', () => new HttpResponse(null, { status: 204 })))
  const address = await renderPage('/create-assignment', ada)
  await textbox('Title').fill('Not for others')
  await expect.poll(() => JSON.stringify({ ...sessionStorage, ...localStorage })).toContain('Not for others')
  await button('Logout').click()
  await expect.poll(address).toBe('/auth/login')
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('Not for others')
  for (const user of [ada, ben]) {
    await renderPage('/create-assignment', user)
    await expect.element(textbox('Title')).toHaveValue('')
  }
})

for (const path of ['/auth/login', '/auth/register']) {
  test(`a password typed at ${path} is kept nowhere, unlike the rest`, async () => {
    await renderPage(path)
    await page.getByLabelText('Password', { exact: true }).fill('Circle1secret')
    await textbox('Email').fill('typed@example.org')
    const kept = () => JSON.stringify({ ...sessionStorage, ...localStorage })
    await expect.poll(kept).toContain('typed@example.org')
    expect(kept()).not.toContain('Circle1secret')
  })
}
