import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { Thumbnail } from './thumbnail'

const picture = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="16" height="9"/>'

test('a repaired picture shows, and a broken one is replaced', async () => {
  const { container, rerender } = await render(<Thumbnail src="/no-such-picture.png" title="Leaves" />)
  await expect.element(page.getByText('L')).toBeVisible()
  await rerender(<Thumbnail src={picture} title="Leaves" />)
  await expect.poll(() => container.querySelector('img')?.naturalWidth).toBe(16)
  await rerender(<Thumbnail src="/no-such-either.png" title="Leaves" />)
  await expect.element(page.getByText('L')).toBeVisible()
})
