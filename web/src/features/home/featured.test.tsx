import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { Featured } from './featured'
import { featuredEntries } from './featured-entries'

const button = (name: string) =>
  page.getByRole('navigation', { name: 'Featured pages' }).getByRole('button', { name, exact: true })

const renderFeatured = () =>
  render(
    <MemoryRouter>
      <Featured />
    </MemoryRouter>,
  )

async function expectPage(number: number) {
  await expect.element(button(String(number))).toHaveAttribute('aria-current', 'page')
  const titles = featuredEntries()
    .slice((number - 1) * 6, number * 6)
    .map((entry) => entry.title)
  await expect.element(page.getByRole('listitem')).toHaveLength(6)
  for (const title of titles) await expect.element(page.getByText(title, { exact: true })).toBeVisible()
}

test('24 entries, six a page, from the first to the last', async () => {
  await renderFeatured()
  expect(new Set(featuredEntries().map((entry) => entry.id)).size).toBe(24)
  await expectPage(1)
  await expect.element(button('Prev')).toBeDisabled()
  for (const number of [2, 3, 4]) {
    await button('Next').click()
    await expectPage(number)
  }
  await expect.element(button('Next')).toBeDisabled()
  await expect.element(button('Prev')).toBeEnabled()
})

test('a number goes straight to its page, Prev one back', async () => {
  await renderFeatured()
  await button('3').click()
  await expectPage(3)
  await button('Prev').click()
  await expectPage(2)
})

test('an entry leads to the form, filled in with it', async () => {
  await renderFeatured()
  await expect
    .element(page.getByRole('link', { name: 'FizzBuzz for my aunt' }))
    .toHaveAttribute('href', expect.stringMatching(/^\/create-assignment\?title=FizzBuzz.*art=programming$/))
})
