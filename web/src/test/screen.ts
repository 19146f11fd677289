import { expect } from 'vitest'
import { page, type Locator } from 'vitest/browser'

/** Elements that many pages share, found by their accessible names. */

export const button = (name: string, within: { getByRole: Locator['getByRole'] } = page) =>
  within.getByRole('button', { name, exact: true })

export const textbox = (name: string, within: { getByRole: Locator['getByRole'] } = page) =>
  within.getByRole('textbox', { name, exact: true })

/** A box that says `text` under `title`; presses a button in it. */
export async function answerBox(title: string, text: string | null, press = 'OK'): Promise<void> {
  const named = { name: title, exact: true }
  const box = page.getByRole('dialog', named).or(page.getByRole('alertdialog', named))
  await expect.element(box).toBeVisible()
  if (text) await expect.element(box.getByText(text, { exact: true })).toBeVisible()
  await button(press, box).click()
  await expect.element(box).not.toBeInTheDocument()
}

/** The elements' texts, in order. */
export const texts = (elements: Locator) => elements.elements().map(({ textContent }) => textContent)
