import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from '@/test/render'
import { Faq } from './faq'
import { faqEntries } from './faq-entries'

const question = (i: number) => page.getByRole('button', { name: faqEntries()[i]?.question ?? '' })
const answer = (i: number) => page.getByText(faqEntries()[i]?.answer ?? '')

test('seven questions, all closed at first', async () => {
  await render(<Faq />)
  await expect.element(page.getByRole('heading', { name: 'Frequently Asked Questions' })).toBeVisible()
  expect(faqEntries()).toHaveLength(7)
  for (const i of faqEntries().keys()) {
    await expect.element(question(i)).toHaveAttribute('aria-expanded', 'false')
    await expect.element(answer(i)).not.toBeVisible()
  }
})

test('one answer is open at a time', async () => {
  await render(<Faq />)
  await question(1).click()
  await expect.element(answer(1)).toBeVisible()
  await question(4).click()
  await expect.element(answer(4)).toBeVisible()
  await expect.element(answer(1)).not.toBeVisible()
  await expect.element(question(1)).toHaveAttribute('aria-expanded', 'false')
})

test('clicking the open one closes it', async () => {
  await render(<Faq />)
  await question(2).click()
  await expect.element(question(2)).toHaveAttribute('aria-expanded', 'true')
  await question(2).click()
  await expect.element(question(2)).toHaveAttribute('aria-expanded', 'false')
  await expect.element(answer(2)).not.toBeVisible()
})
