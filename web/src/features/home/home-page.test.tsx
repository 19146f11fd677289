import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { SettingContext } from '@/lib/site'
import site from '../../../../internal/site/default.json'
import { HomePage } from './home-page'

test('the home page says what the specification says', async () => {
  await render(
    <SettingContext value={{ brand: 'Night School', site }}>
      <MemoryRouter>
        <HomePage />
      </MemoryRouter>
    </SettingContext>,
  )
  const heading = (level: number) => page.getByRole('heading', { level })
  await expect.element(heading(1)).toHaveAccessibleName('Study Together with Night School')
  await expect
    .element(
      page.getByText(
        "Create assignments, collaborate with friends, and grade each other's work in a fun and interactive way.",
      ),
    )
    .toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Get Started' }))
    .toHaveAttribute('href', '/assignments')
  await expect.element(page.getByRole('region', { name: 'Banners' })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Featured Assignments' })).toBeVisible()
  expect(
    heading(2)
      .elements()
      .map((h) => h.textContent),
  ).toEqual(['Frequently Asked Questions', 'Awesome Features', 'Featured Assignments'])
  expect(
    heading(3)
      .elements()
      .map((h) => h.textContent),
  ).toEqual([
    'Create Assignments',
    'Submit Solutions',
    'Peer Grading',
    'Progress Tracking',
    'Collaboration Tools',
    'Deadline Reminders',
  ])
})
