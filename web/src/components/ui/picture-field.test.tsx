import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from '@/test/render'
import site from '../../../../internal/site/default.json'
import { SettingContext } from '@/lib/site'
import { PictureField } from './picture-field'

function Form() {
  const [address, setAddress] = useState('')
  return (
    <SettingContext value={{ brand: 'StudyCircle', site }}>
      <PictureField
        label="Photo URL"
        art="people"
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
        address={address}
        onPick={setAddress}
      />
      <button type="button">Next</button>
    </SettingContext>
  )
}

test('by keys: Tab passes the drawings, Arrow Down leads to them, Escape back', async () => {
  await render(<Form />)
  const field = page.getByRole('textbox', { name: 'Photo URL' })
  await field.click()
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('button', { name: 'Next' })).toHaveFocus()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}{ArrowDown}{ArrowRight}')
  const second = page.getByRole('button', { name: 'Black bob' })
  await expect.element(second).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue(`${window.location.origin}/art/people/hina.svg`)
  await expect.element(second).toHaveAttribute('aria-pressed', 'true')
  await userEvent.keyboard('{Escape}')
  await expect.element(field).toHaveFocus()
  // It continues from the picked drawing.
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(second).toHaveFocus()
})

test('from right to left, Arrow Left leads to the next drawing', async () => {
  document.documentElement.dir = 'rtl'
  try {
    await render(<Form />)
    await page.getByRole('textbox', { name: 'Photo URL' }).click()
    await userEvent.keyboard('{ArrowDown}{ArrowLeft}')
    await expect.element(page.getByRole('button', { name: 'Black bob' })).toHaveFocus()
  } finally {
    document.documentElement.removeAttribute('dir')
  }
})
