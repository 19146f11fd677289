import { HttpResponse, getResponse, http } from 'msw'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { startSession } from '@/lib/session'
import { VerifyPage } from './verify-page'

afterEach(() => void vi.restoreAllMocks())

test('once the address is confirmed, the focus goes to the thanks for it', async () => {
  startSession({ email: 'ada@example.org', displayName: 'Ada', photoURL: '', accessToken: 'a' })
  const handlers = [http.post('*/api/auth/email/verify', () => new HttpResponse(null, { status: 204 }))]
  vi.spyOn(window, 'fetch').mockImplementation(
    async (input, init) => (await getResponse(handlers, new Request(input, init))) ?? Response.error(),
  )
  await render(
    <MemoryRouter>
      <VerifyPage token="t" />
    </MemoryRouter>,
  )
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect.element(page.getByText('Thank you, your address is confirmed.')).toHaveFocus()
})
