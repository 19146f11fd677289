import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@/test/render'
import { queryClient } from '@/lib/query-client'
import { button, textbox } from '@/test/screen'
import { serve } from '@/test/serve'
import { PrivateCalendar } from './private-calendar'

test('a new address of the calendar has the focus', async () => {
  serve(
    http.get('*/api/calendar', () => HttpResponse.json({ exists: false })),
    http.post('*/api/calendar', () => HttpResponse.json({ url: 'https://example.org/calendar/1.ics' })),
  )
  await render(
    <QueryClientProvider client={queryClient}>
      <PrivateCalendar />
    </QueryClientProvider>,
  )
  await button('Create a calendar address').click()
  await expect.element(textbox('Calendar address')).toHaveFocus()
  await expect.element(page.getByRole('link', { name: 'Add to Google Calendar' })).toBeVisible()
})
