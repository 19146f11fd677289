import { QueryClientProvider } from '@tanstack/react-query'
import { HttpResponse, getResponse, http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { queryClient } from '@/lib/query-client'
import { EmailStatus } from './email-status'

afterEach(() => void vi.restoreAllMocks())

test('after an email is requested, focus moves to the text that replaces the button', async () => {
  const handlers = [
    http.get('*/api/auth/account', () => HttpResponse.json({ emailVerified: false })),
    http.post('*/api/auth/email/verification', () => new HttpResponse(null, { status: 202 })),
  ]
  vi.spyOn(window, 'fetch').mockImplementation(
    async (input, init) => (await getResponse(handlers, new Request(input, init))) ?? Response.error(),
  )
  await render(
    <QueryClientProvider client={queryClient}>
      <EmailStatus />
    </QueryClientProvider>,
  )
  await page.getByRole('button', { name: 'Send the verification email' }).click()
  await expect.element(page.getByText('The email is on its way.')).toHaveFocus()
})
