import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { button } from '@/test/screen'

const banner = page.getByRole('banner')
const link = (name: string) => banner.getByRole('link', { name, exact: true })
const both = { ...ada, moderator: true, operator: true }

test('the header of a moderator and operator is one row from 1,024 px on; Moderation and Server are under More', async () => {
  const address = await renderPage('/about-Us', both)
  for (const width of [1024, 1280, 1920]) {
    await page.viewport(width, 800)
    await expect.poll(() => banner.element().getBoundingClientRect().height).toBeLessThan(72)
  }
  await expect.element(link('Server')).not.toBeInTheDocument()
  await button('More').click()
  await expect.element(link('Moderation')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(link('Moderation')).not.toBeInTheDocument()
  await expect.element(button('More')).toHaveFocus()
  await button('More').click()
  await page.getByRole('contentinfo').getByText('© ', { exact: false }).click()
  await expect.element(link('Server')).not.toBeInTheDocument()
  await button('More').click()
  await link('Server').click()
  await expect.poll(address).toBe('/admin')
})

test('the menu of a narrow screen has all links, without More', async () => {
  await renderPage('/about-Us', both)
  await page.viewport(1024, 800)
  await button('Menu').click()
  for (const name of ['Home', 'Circles', 'Moderation', 'Server'])
    await expect.element(link(name)).toBeVisible()
  await expect.element(button('More')).not.toBeInTheDocument()
})
