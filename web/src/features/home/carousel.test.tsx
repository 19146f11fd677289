import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '@/test/render'
import { Carousel } from './carousel'

// Only the waiting is faked: Embla and the browser keep their own frames.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const slide = (n: number) => page.getByRole('group', { name: `${n} of 5` })
const press = (name: string) => page.getByRole('button', { name }).click()

async function pass(milliseconds: number) {
  await vi.advanceTimersByTimeAsync(milliseconds)
}

/** Shows the carousel beside something else, on which the pointer rests. */
async function setup() {
  await render(
    <>
      <button type="button">Elsewhere</button>
      <Carousel />
    </>,
  )
  await userEvent.hover(page.getByRole('button', { name: 'Elsewhere' }))
  await expect.element(slide(1)).toBeInTheDocument()
}

test('five pictures with words, the first one fetched first', async () => {
  await setup()
  const pictures = [...document.querySelectorAll('img')]
  expect(pictures).toHaveLength(5)
  expect(pictures.map((img) => img.loading)).toEqual(['eager', 'lazy', 'lazy', 'lazy', 'lazy'])
  expect(pictures[0]?.fetchPriority).toBe('high')
  for (const img of pictures) expect(img.alt.length).toBeGreaterThan(20)
})

test('the next slide comes after 4,000 ms and not before', async () => {
  await setup()
  await pass(3_999)
  await expect.element(slide(1)).toBeInTheDocument()
  await pass(1)
  await expect.element(slide(2)).toBeInTheDocument()
  await pass(4_000)
  await expect.element(slide(3)).toBeInTheDocument()
})

test('arrows and arrow keys move it, and it has no end', async () => {
  await setup()
  await press('Next slide')
  await expect.element(slide(2)).toBeInTheDocument()
  await press('Previous slide')
  await expect.element(slide(1)).toBeInTheDocument()
  await press('Previous slide')
  await expect.element(slide(5)).toBeInTheDocument()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(slide(1)).toBeInTheDocument()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(slide(5)).toBeInTheDocument()
})

test('Pause stops it until it is pressed again', async () => {
  await setup()
  await press('Pause')
  await userEvent.hover(page.getByRole('button', { name: 'Elsewhere' }))
  await expect.element(page.getByRole('button', { name: 'Pause' })).toHaveAttribute('aria-pressed', 'true')
  await pass(12_000)
  await expect.element(slide(1)).toBeInTheDocument()
  await press('Pause')
  await userEvent.hover(page.getByRole('button', { name: 'Elsewhere' }))
  await pass(4_000)
  await expect.element(slide(2)).toBeInTheDocument()
})

test('it waits under the pointer', async () => {
  await setup()
  await userEvent.hover(slide(1))
  await pass(12_000)
  await expect.element(slide(1)).toBeInTheDocument()
  await userEvent.hover(page.getByRole('button', { name: 'Elsewhere' }))
  await pass(4_000)
  await expect.element(slide(2)).toBeInTheDocument()
})

test('it waits while the keyboard is on it', async () => {
  await setup()
  await userEvent.tab()
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: 'Previous slide' })).toHaveFocus()
  await pass(12_000)
  await expect.element(slide(1)).toBeInTheDocument()
  await userEvent.tab({ shift: true })
  await pass(4_000)
  await expect.element(slide(2)).toBeInTheDocument()
})

test('for reduced motion it starts paused', async () => {
  const real = window.matchMedia.bind(window)
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    real(query.includes('prefers-reduced-motion') ? 'all' : query),
  )
  await setup()
  await expect.element(page.getByRole('button', { name: 'Pause' })).toHaveAttribute('aria-pressed', 'true')
  await pass(12_000)
  await expect.element(slide(1)).toBeInTheDocument()
  await press('Next slide')
  await expect.element(slide(2)).toBeInTheDocument()
  vi.restoreAllMocks()
})
