import {
  answerBox,
  card,
  createAssignment,
  expectToast,
  goTo,
  newPerson,
  register,
  row,
  uniqueWord,
} from '../support/product'
import { expect, test } from '../support/test'

test('three people create, take, grade, update and delete', async ({ newPerson: newBrowser }) => {
  const [ada, ben, cleo] = [newPerson('Ada'), newPerson('Ben'), newPerson('Cleo')]
  const [first, second, third] = [await newBrowser(), await newBrowser(), await newBrowser()]
  const word = uniqueWord()
  const title = `Explain ${word} to a friend`

  await test.step('the first registers and creates an assignment', async () => {
    await register(first, ada)
    await createAssignment(first, { title, level: 'Hard', marks: '20' })
    await expect(card(first, title)).toBeVisible()
  })

  await test.step('the second registers, filters by level, searches and opens it', async () => {
    await register(second, ben)
    await goTo(second, 'Assignments')
    await second.getByRole('combobox', { name: 'Level' }).selectOption('Hard')
    await expect(second).toHaveURL(/level=hard/)
    await second.getByRole('searchbox', { name: 'Search assignments' }).fill(word)
    await second.getByRole('button', { name: 'Search' }).click()
    await expect(second.getByRole('article')).toHaveCount(1)
    await card(second, title).getByRole('link', { name: 'Details' }).click()
    await expect(second.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(second).toHaveTitle(`${title} | Assignment Details`)
    await expect(second.getByText(ada.email)).toBeVisible()
  })

  await test.step('takes it: an empty link first', async () => {
    await second.getByRole('button', { name: 'Take Assignment' }).click()
    const dialog = second.getByRole('dialog', { name: 'Submit Assignment' })
    await dialog.getByRole('textbox', { name: 'Google Docs Link' }).fill('   ')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await answerBox(second, 'Error', 'Google Docs link is required')
    await dialog
      .getByRole('textbox', { name: 'Google Docs Link' })
      .fill('https://docs.google.com/document/d/1')
    await dialog.getByRole('textbox', { name: 'Note' }).fill('I used my grandmother as an example.')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await answerBox(second, 'Success!', 'Assignment submitted successfully!')
    await expect(dialog).toBeHidden()
  })

  await test.step('cannot grade the own submission', async () => {
    await goTo(second, 'Pending Assignments')
    await expect(row(second, title)).toContainText('Own Submission')
    await expect(row(second, title).getByRole('button', { name: 'Give Mark' })).toHaveCount(0)
  })

  await test.step('the third grades it, and it leaves the pending list', async () => {
    await register(third, cleo)
    await goTo(third, 'Pending Assignments')
    await row(third, title).getByRole('button', { name: 'Give Mark' }).click()
    const dialog = third.getByRole('dialog', { name: 'Mark Assignment' })
    await expect(dialog.getByRole('link', { name: 'View Document' })).toHaveAttribute(
      'href',
      'https://docs.google.com/document/d/1',
    )
    await expect(dialog).toContainText('I used my grandmother as an example.')
    await dialog.getByLabel('Marks').fill('18')
    await dialog.getByRole('textbox', { name: 'Feedback' }).fill('Your grandmother would be proud.')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await answerBox(third, 'Success', 'Assignment marked successfully!')
    await expect(dialog).toBeHidden()
    await expect(row(third, title)).toHaveCount(0)
    await third.reload()
    await expect(third.getByRole('heading', { level: 1 })).toHaveText('Pending Assignments')
    await expect(row(third, title)).toHaveCount(0)
  })

  const result = async () => {
    await second.goto('/attemded-assignments')
    const cells = row(second, title).getByRole('cell')
    await expect(cells).toContainText([title, 'completed', '20', '18', 'Your grandmother would be proud.'])
  }
  await test.step('the second sees status, marks and feedback', result)

  await test.step('the first updates the assignment', async () => {
    await first.goto(`/assignments?search=${word}`)
    await card(first, title).getByRole('link', { name: 'Update' }).click()
    await expect(first.getByRole('textbox', { name: 'Title' })).toHaveValue(title)
    await first.getByRole('textbox', { name: 'Description' }).fill('Now with an example.')
    await first.getByRole('button', { name: 'Update Assignment' }).click()
    await answerBox(first, 'Are you sure?', 'You Update this assignment')
    await answerBox(first, 'Updated', null)
    await expect(first).toHaveURL(/\/assignments$/)
  })

  await test.step("the second's attempts to update and delete it are refused", async () => {
    await second.goto(`/assignments?search=${word}`)
    await card(second, title).getByRole('button', { name: 'Delete' }).click()
    await answerBox(second, 'Unauthorized', 'This is not your assignment.')
    await card(second, title).getByRole('link', { name: 'Update' }).click()
    await answerBox(second, 'Oops...', 'You not create this assignment')
    await expect(second).toHaveURL(/\/assignments$/)
  })

  await test.step('the first deletes it', async () => {
    await first.goto(`/assignments?search=${word}`)
    await card(first, title).getByRole('button', { name: 'Delete' }).click()
    await answerBox(first, 'Are you sure?', "You won't be able to revert this!", 'Yes, delete it!')
    await expectToast(first, 'Deleted successfully')
    await expect(first.getByText('No assignments available.')).toBeVisible()
  })

  await test.step("the second's result is still there", result)

  await test.step('logging out leads to the login page', async () => {
    await first.getByRole('button', { name: 'Logout' }).click()
    await expectToast(first, 'Logout successful')
    await expect(first).toHaveURL(/\/auth\/login$/)
  })
})
