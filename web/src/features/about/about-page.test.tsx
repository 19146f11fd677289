import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { SettingContext } from '@/lib/site'
import site from '../../../../internal/site/default.json'
import { AboutPage } from './about-page'

test('the profile comes from the site settings', async () => {
  await render(
    <SettingContext value={{ brand: 'StudyCircle', site }}>
      <MemoryRouter>
        <AboutPage />
      </MemoryRouter>
    </SettingContext>,
  )
  const { developer } = site
  await expect.element(page.getByRole('heading', { level: 1, name: 'About Us' })).toBeVisible()
  await expect
    .element(page.getByRole('img', { name: developer.name }))
    .toHaveAttribute('src', developer.photo)
  await expect.element(page.getByText(developer.bio)).toBeVisible()
  await expect.element(page.getByText('12+', { exact: true })).toBeVisible()
  for (const { label, url } of developer.social)
    await expect.element(page.getByRole('link', { name: label, exact: true })).toHaveAttribute('href', url)
  expect(developer.projects).toHaveLength(3)
  for (const { title, url } of developer.projects)
    await expect.element(page.getByRole('link', { name: title, exact: true })).toHaveAttribute('href', url)
})
