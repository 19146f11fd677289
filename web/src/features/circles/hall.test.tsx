import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { queryClient } from '@/lib/query-client'
import { biology, listOf, nothing, serveCircle } from '@/test/circles'
import { renderPage } from '@/test/render-page'
import { ada } from '@/test/samples'

beforeEach(() => queryClient.clear())

const nav = () => page.getByRole('navigation', { name: 'Main' })
const links = () =>
  nav()
    .getByRole('link')
    .elements()
    .map(({ textContent }) => textContent)

test('where the hall is off, visitors see the home page and sign-in', async () => {
  const off = { hall: 'off' } as const
  const address = await renderPage('/', null, off)
  await expect.element(page.getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/circles')
  expect(links()).toEqual(['Home'])
  expect(address()).toBe('/')
  for (const path of ['/assignments', '/assignment/a1', '/about-Us', '/lab', '/pending-assignments']) {
    const where = await renderPage(path, null, off)
    await expect.poll(where).toBe('/auth/login')
  }
})

test('where the hall is off, its pages lead users to their circles', async () => {
  serveCircle(() => biology)
  const off = { hall: 'off' } as const
  for (const path of ['/assignments', '/pending-assignments']) {
    const address = await renderPage(path, ada, off)
    await expect.poll(address).toBe('/circles')
  }
  expect(links()).toEqual([
    'Home',
    'Create Assignment',
    'My Attempted Assignments',
    'Dashboard',
    'Circles',
    'About Us',
  ])
})

test('where nothing is published for everybody, Create offers the circles of the user only', async () => {
  serveCircle(
    () => biology,
    http.get('*/api/circles', () =>
      HttpResponse.json(listOf(biology, { ...biology, _id: 'c2', name: 'Chess', may: nothing })),
    ),
  )
  const address = await renderPage('/create-assignment', ada, { hall: 'read' })
  const field = page.getByRole('combobox', { name: 'For' })
  await expect.element(field).toHaveValue('c1')
  expect([...field.element().querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Biology',
    'Chess',
  ])
  expect(address()).toBe('/create-assignment?circle=c1')
})

test('a user who can publish nowhere is led to the circles', async () => {
  serveCircle(() => biology)
  await renderPage('/create-assignment', ada, { hall: 'read' })
  await expect.element(page.getByText('Assignments here belong to circles', { exact: false })).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Title' })).not.toBeInTheDocument()
})
