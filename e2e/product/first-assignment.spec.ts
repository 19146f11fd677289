import { card, createAssignment, newPerson, register, uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

test('the first user of a new server publishes an assignment', async ({ page }) => {
  await register(page, newPerson('Ada'))
  const title = `Explain ${uniqueWord()}`
  await createAssignment(page, { title })
  await expect(card(page, title)).toBeVisible()
})
