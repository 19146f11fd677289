import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '@/test/render'
import { Problem } from '@/lib/problem'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { gate } from '@/test/serve'
import { DialogForm } from './dialog-form'
import { DialogHost } from './dialog-host'
import { TextInput } from './inputs'

const schema = z.object({ name: z.string() })

function Renaming({ send, onClose }: { send: () => Promise<void>; onClose: () => void }) {
  const form = useSchemaForm({ schema, values: { name: '' } })
  return (
    <DialogForm
      title="Rename"
      form={form}
      draft=""
      fields={['name']}
      send={send}
      onClose={onClose}
      onSent={() => {}}
    >
      <TextInput label="Name" {...form.register('name')} error={form.formState.errors.name?.message} />
    </DialogForm>
  )
}

function Page({ send }: { send: () => Promise<void> }) {
  const [open, setOpen] = useState(true)
  return (
    <>
      {open && <Renaming send={send} onClose={() => setOpen(false)} />}
      <DialogHost />
    </>
  )
}

const dialog = page.getByRole('dialog', { name: 'Rename' })
const refusal = new Problem('The server refused 1 field.', {
  status: 422,
  code: 'invalid',
  fields: [{ location: 'body.name', message: 'This name is taken.' }],
})

test('what the server refuses after the dialog was closed is said', async () => {
  const late = gate()
  const send = async () => {
    await late.opened
    throw refusal
  }
  await render(<Page send={send} />)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Ada')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  late.open()
  await expect
    .element(page.getByRole('alertdialog', { name: 'Error' }).getByText('This name is taken.'))
    .toBeVisible()
})

test('Enter twice sends once', async () => {
  const late = gate()
  let sent = 0
  const send = async () => {
    sent++
    await late.opened
  }
  await render(<Page send={send} />)
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Ada{Enter}{Enter}')
  late.open()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sent).toBe(1)
})
