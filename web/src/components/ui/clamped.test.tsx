import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { Clamped } from './clamped'

function Text() {
  const [lines, setLines] = useState(1)
  return (
    <>
      <button type="button" onClick={() => setLines(lines + 1)}>
        Longer
      </button>
      <Clamped lines={1}>
        {Array.from({ length: lines }, (_, at) => (
          <p key={at}>Line {at}</p>
        ))}
      </Clamped>
    </>
  )
}

test('a text that grows gets its button, by one observer', async () => {
  const observers = vi.spyOn(window, 'ResizeObserver')
  await render(<Text />)
  const all = page.getByRole('button', { name: 'Show all' })
  await expect.element(all).not.toBeInTheDocument()
  const before = observers.mock.calls.length
  for (let times = 0; times < 3; times++) await page.getByRole('button', { name: 'Longer' }).click()
  await expect.element(all).toBeVisible()
  expect(observers.mock.calls.length).toBe(before)
  observers.mockRestore()
})
