import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { button, texts } from '@/test/screen'

const shortcuts = page.getByRole('navigation', { name: 'Shortcuts' })
const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()

test('a phone has a user’s most used pages at its end, which covers no content', async () => {
  const address = await renderPage('/about-Us', ada)
  await expect.element(page.getByRole('banner')).toBeVisible()
  await expect.element(shortcuts).not.toBeInTheDocument()
  await page.viewport(639, 844)
  await expect.element(shortcuts).toBeVisible()
  await page.viewport(320, 700)
  expect(texts(shortcuts.getByRole('link'))).toEqual(['Home', 'Pending', 'Create', 'Circles', 'Me'])
  for (const link of shortcuts.getByRole('link').elements()) {
    const { width, height } = link.getBoundingClientRect()
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    expect(link.scrollWidth).toBeLessThanOrEqual(Math.ceil(width))
  }
  window.scrollTo(0, document.documentElement.scrollHeight)
  await expect.poll(() => boxOf('footer')?.bottom).toBeLessThanOrEqual(boxOf('.shortcuts')?.top ?? 0)
  await shortcuts.getByRole('link', { name: 'Create' }).click()
  await expect.poll(address).toBe('/create-assignment')
  await expect
    .element(shortcuts.getByRole('link', { name: 'Create' }))
    .toHaveAttribute('aria-current', 'page')
})

test('they are not there beside the menu, which has the same links, nor beside a dialog, nor for visitors', async () => {
  await renderPage('/about-Us', ada)
  await page.viewport(390, 844)
  await button('Menu').click()
  await expect.element(page.getByRole('link', { name: 'Home' })).toBeVisible()
  await expect.element(shortcuts).not.toBeInTheDocument()
  await button('Menu').click()
  await expect.element(shortcuts).toBeVisible()
  await button('Find anything').click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  expect(document.querySelector('.shortcuts')?.checkVisibility()).toBe(false)
  await renderPage('/about-Us')
  await page.viewport(390, 844)
  await expect.element(button('Menu')).toBeVisible()
  await expect.element(shortcuts).not.toBeInTheDocument()
})

test('without a hall they lead to nothing of it', async () => {
  await renderPage('/about-Us', ada, { hall: 'off' })
  await page.viewport(390, 844)
  await expect.poll(() => texts(shortcuts.getByRole('link'))).toEqual(['Home', 'Create', 'Circles', 'Me'])
})

test('the actions of a page stand above them', async () => {
  await renderPage('/about-Us', ada)
  await page.viewport(390, 844)
  const bar = document.createElement('div')
  bar.className = 'action-bar'
  document.body.append(bar)
  onTestFinished(() => bar.remove())
  await expect.element(shortcuts).toBeVisible()
  expect(bar.getBoundingClientRect().bottom).toBe(boxOf('.shortcuts')?.top)
})
