import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Button } from './button'

test('a busy button keeps the focus and does nothing', async () => {
  const sent = vi.fn<() => void>()
  function Form() {
    const [busy, setBusy] = useState(false)
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault()
          sent()
          setBusy(true)
        }}
      >
        <input aria-label="Name" />
        <Button type="submit" busy={busy}>
          {busy ? 'Sending…' : 'Send'}
        </Button>
      </form>
    )
  }
  await render(<Form />)
  await userEvent.tab()
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  const busy = page.getByRole('button', { name: 'Sending…' })
  await expect.element(busy).toHaveFocus()
  await expect.element(busy).toHaveAttribute('aria-disabled', 'true')
  await userEvent.keyboard('{Enter} ')
  await userEvent.tab({ shift: true })
  await userEvent.keyboard('{Enter}')
  expect(sent).toHaveBeenCalledTimes(1)
})
