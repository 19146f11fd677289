import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { todayQuery } from '@/entities/today/today-query'
import { invalidate } from '@/lib/query'
import { queryClient } from '@/lib/query-client'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'
import { button, texts } from '@/test/screen'
import { serve } from '@/test/serve'

const banner = page.getByRole('banner')
const link = (name: string) => banner.getByRole('link', { name, exact: true })
const both = { ...ada, moderator: true, operator: true }

test('the header of a moderator and operator is one row from 1,024 px on; Moderation and Server are under More', async () => {
  const address = await renderPage('/about-Us', both)
  for (const width of [1024, 1280, 1920]) {
    await page.viewport(width, 800)
    await expect.element(button('Menu')).not.toBeInTheDocument()
    await expect.element(link('My Attempted Assignments')).toBeVisible()
    await expect.poll(() => banner.element().getBoundingClientRect().height).toBeLessThan(72)
    const { right } = banner.getByRole('img', { name: 'Ada' }).element().getBoundingClientRect()
    expect(right).toBeLessThan(width)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
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
  await page.viewport(1023, 800)
  await button('Menu').click()
  for (const name of ['Home', 'Circles', 'Moderation', 'Server'])
    await expect.element(link(name)).toBeVisible()
  await expect.element(button('More')).not.toBeInTheDocument()
})

test('the main links come first and About Us last; Create Assignment looks like a button', async () => {
  await renderPage('/about-Us', { ...ada, moderator: true })
  const links = banner.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect.element(links.first()).toBeVisible()
  expect(texts(links)).toEqual([
    'Home',
    'Assignments',
    'Pending Assignments',
    'Create Assignment',
    'My Attempted Assignments',
    'Dashboard',
    'Circles',
    'Moderation',
    'About Us',
  ])
  const fillOf = (name: string) => getComputedStyle(link(name).element()).backgroundColor
  expect(fillOf('Circles')).toBe('rgba(0, 0, 0, 0)')
  expect(fillOf('Create Assignment')).not.toBe(fillOf('Circles'))
})

test('the link to pending assignments has the number of reviews that wait, which moves nothing', async () => {
  const turn = { assignmentId: 'a1', assignmentTitle: 'Essay', given: 0 }
  let turns = [
    { ...turn, owed: 3, available: 2 },
    { ...turn, assignmentId: 'a2', owed: 1, available: 5 },
    { ...turn, assignmentId: 'a3', owed: 2, available: 0 },
  ]
  serve(
    http.get('*/api/today', () => HttpResponse.json({ turns, due: [], back: [], decisions: [], short: [] })),
  )
  await renderPage('/about-Us', ada)
  const pending = link('Pending Assignments')
  await expect.element(pending).toBeVisible()
  const before = pending.element().getBoundingClientRect().toJSON() as unknown
  await expect.element(pending).toHaveAccessibleDescription('3 reviews wait for you')
  expect(pending.element().textContent).toBe('Pending Assignments3')
  expect(pending.element().getBoundingClientRect().toJSON()).toEqual(before)
  turns = []
  invalidate(queryClient, todayQuery.queryKey)
  await expect.poll(() => pending.element().textContent).toBe('Pending Assignments')
  await expect.element(pending).not.toHaveAccessibleDescription()
})
