import { createMemoryRouter, useNavigate } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { followNavigation } from '@/lib/arrival'
import { gate } from '@/test/serve'
import { Button } from './button'
import { Form } from './form'

// icos-urenio/Improve-my-city#65, Cotonti/Cotonti#1430, gctools-outilsgc/gcconnex#763: the button is pressed again while
// the next page is on its way.
test('a form that was sent is locked until the next page is there', async () => {
  let sent = 0
  const line = gate()
  function Page() {
    const navigate = useNavigate()
    const send = async () => {
      sent++
      await Promise.resolve()
      void navigate('/next')
    }
    return (
      <Form onSubmit={send}>
        <input aria-label="Title" />
        <Button type="submit">Create</Button>
        <Button>Other</Button>
      </Form>
    )
  }
  const router = createMemoryRouter([
    { path: '/', Component: Page },
    {
      path: '/next',
      lazy: async () => {
        await line.opened
        return { Component: () => <h1>There</h1> }
      },
    },
  ])
  followNavigation(router)
  await render(<RouterProvider router={router} />)
  const create = page.getByRole('button', { name: 'Create' })
  await create.dblClick()
  await expect.element(create).toHaveAttribute('aria-busy', 'true')
  await expect.element(page.getByRole('button', { name: 'Other' })).not.toHaveAttribute('aria-busy')
  const pressed = create.element() as HTMLButtonElement
  pressed.click()
  pressed.form?.requestSubmit()
  expect(sent).toBe(1)
  line.open()
  await expect.element(page.getByRole('heading', { name: 'There' })).toBeVisible()
  await router.navigate('/')
  await create.click()
  await expect.element(page.getByRole('heading', { name: 'There' })).toBeVisible()
  expect(sent).toBe(2)
})
