import { createMemoryRouter, Outlet } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '@/test/render'
import { DialogHost } from './dialog-host'
import { showAlert, showConfirm } from './dialogs'
import { useDialogHistory } from './use-dialog-history'

const box = page.getByRole('alertdialog')

function Root() {
  useDialogHistory()
  return <Outlet />
}

async function show() {
  const host = (
    <>
      <Outlet />
      <DialogHost />
    </>
  )
  const router = createMemoryRouter(
    [
      {
        element: <Root />,
        children: [
          { element: host, children: ['/first', '/second'].map((path) => ({ path, element: path })) },
          { path: '/elsewhere', element: 'elsewhere' },
        ],
      },
    ],
    { initialEntries: ['/first'] },
  )
  await render(<RouterProvider router={router} />)
  await router.navigate('/second')
  return router
}

test('Esc answers a question with no and stays on the page', async () => {
  const router = await show()
  const sure = showConfirm({ title: 'Sure?', text: 'It is gone then.' })
  await expect.element(box).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect(await sure).toBe(false)
  await expect.element(box).not.toBeInTheDocument()
  expect(router.state.location.pathname).toBe('/second')
})

test.each([false, true])('a second Enter does not answer a question, danger: %s', async (danger) => {
  await show()
  const sure = showConfirm({ title: 'Sure?', text: 'It is gone then.', danger })
  await expect.element(page.getByRole('heading', { name: 'Sure?' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(box).toBeVisible()
  await page.getByRole('button', { name: 'OK' }).click()
  expect(await sure).toBe(true)
})

test('an alert reports whether the next step was chosen', async () => {
  await show()
  const next = showAlert({ title: 'Done', circled: '18', next: { label: 'Mark another' } })
  await expect.element(page.getByRole('button', { name: 'OK' })).toHaveFocus()
  await page.getByRole('button', { name: 'Mark another' }).click()
  expect(await next).toBe(true)
})

test('an unread message is not shown on a later page', async () => {
  const router = await show()
  void showAlert({ title: 'Error', error: true })
  await expect.element(box).toBeVisible()
  await router.navigate('/elsewhere')
  await expect.element(page.getByText('elsewhere')).toBeVisible()
  await router.navigate('/first')
  await expect.element(page.getByText('/first')).toBeVisible()
  await expect.element(box).not.toBeInTheDocument()
})
