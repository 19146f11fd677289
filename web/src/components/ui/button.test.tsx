import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '@/test/render'
import { Button } from './button'

const button = page.getByRole('button', { name: 'Save' })

test('a second press does nothing while the action of the first runs', async () => {
  let end = () => {}
  const save = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (end = resolve)))
  await render(<Button onClick={save}>Save</Button>)
  await button.dblClick()
  await userEvent.keyboard('{Enter}{Enter} ')
  expect(save).toHaveBeenCalledOnce()
  end()
  await button.click()
  expect(save).toHaveBeenCalledTimes(2)
})

test('a button whose action is over may be pressed again', async () => {
  const save = vi.fn<() => Promise<void>>(async () => {})
  await render(<Button onClick={save}>Save</Button>)
  await button.click()
  await button.click()
  expect(save).toHaveBeenCalledTimes(2)
})

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
