import { inDays, newPerson, photo, row, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** Everything here is done with keys alone; nothing is clicked. */

test('the main job by keyboard alone', async ({ newPerson: newBrowser }) => {
  const [ada, ben] = [newPerson('Ada'), newPerson('Ben')]
  const [first, second] = [await newBrowser(), await newBrowser()]
  const word = uniqueWord()

  await test.step('register', async () => {
    for (const [page, person] of [
      [first, ada],
      [second, ben],
    ] as const) {
      await page.goto('/auth/register')
      await expect(page.getByRole('button', { name: 'Register', exact: true })).toBeEnabled()
      await tabTo(page, 'textbox', 'Name')
      await page.keyboard.type(person.name)
      await page.keyboard.press('Tab')
      await page.keyboard.type(person.email)
      await page.keyboard.press('Tab')
      await page.keyboard.type(photo(page))
      await page.keyboard.press('Tab')
      await page.keyboard.type(person.password)
      await page.keyboard.press('Enter')
      await expect(page).toHaveTitle('home')
    }
  })

  await test.step('create', async () => {
    await follow(first, 'Create Assignment')
    await expect(first.getByRole('heading', { level: 1, name: 'Create Assignment' })).toBeFocused()
    await tabTo(first, 'textbox', 'Title')
    await first.keyboard.type(word)
    // Its tabs come first.
    await tabTo(first, 'textbox', 'Description')
    await first.keyboard.type('By keyboard')
    await first.keyboard.press('Tab')
    await first.keyboard.type('20')
    await first.keyboard.press('Tab')
    await first.keyboard.type('Med')
    await first.keyboard.press('Tab')
    await first.keyboard.type(photo(first))
    await first.keyboard.press('Tab')
    await first.keyboard.type(inDays(3))
    await first.keyboard.press('Enter')
    await expect(first).toHaveURL(/\/assignments$/)
  })

  await test.step('search, open and take', async () => {
    await follow(second, 'Assignments')
    await tabTo(second, 'searchbox', 'Search assignments')
    await second.keyboard.type(word)
    await second.keyboard.press('Enter')
    await expect(second.getByRole('article')).toHaveCount(1)
    await follow(second, 'Details')
    await expect(second.getByRole('heading', { level: 1, name: word })).toBeFocused()
    await tabTo(second, 'button', 'Take Assignment')
    await second.keyboard.press('Enter')
    // Until its code is there, the dialog is a frame with the same heading.
    await expect(second.getByRole('textbox', { name: 'Google Docs Link' })).toBeVisible()
    await expect(second.getByRole('heading', { name: 'Submit Assignment' })).toBeFocused()
    await second.keyboard.press('Tab')
    await second.keyboard.type('https://docs.google.com/document/d/9')
    await second.keyboard.press('Enter')
    const box = second.getByRole('dialog', { name: 'Success!' })
    await expect(box.getByRole('button', { name: 'OK' })).toBeFocused()
    await second.keyboard.press('Enter')
    // A text has replaced the button.
    await expect(second.locator(':focus')).toContainText('Handed in')
  })

  await test.step('grade', async () => {
    await follow(first, 'Pending Assignments')
    await expect(row(first, word)).toBeVisible()
    const give = row(first, word).getByRole('button', { name: 'Give Mark' })
    await tabUntil(first, () => give.evaluate((element) => element === document.activeElement))
    await first.keyboard.press('Enter')
    await expect(first.getByRole('heading', { name: 'Mark Assignment' })).toBeFocused()
    await tabTo(first, 'spinbutton', 'Marks')
    await first.keyboard.type('17')
    await first.keyboard.press('Enter')
    await expect(first.getByRole('dialog', { name: 'Success' })).toBeVisible()
    await first.keyboard.press('Escape')
    await expect(row(first, word)).toHaveCount(0)
  })

  await test.step('see the mark, and log out', async () => {
    await follow(second, 'My Attempted Assignments')
    await expect(row(second, word)).toContainText('17')
    await tabTo(second, 'button', 'Logout')
    await second.keyboard.press('Space')
    await expect(second).toHaveURL(/\/auth\/login$/)
  })
})

async function follow(page: Page, link: string) {
  await expect(page.getByRole('link', { name: link, exact: true }).first()).toBeVisible()
  await tabTo(page, 'link', link)
  await page.keyboard.press('Enter')
}

type Role = Parameters<Page['getByRole']>[0]

async function tabTo(page: Page, role: Role, name: string) {
  const target = page.getByRole(role, { name, exact: true }).first()
  await tabUntil(page, () => target.evaluate((element) => element === document.activeElement))
}

/** Tabs on, around the page if need be, and checks on the way that focus can be seen. */
async function tabUntil(page: Page, there: () => Promise<boolean>) {
  for (let presses = 0; presses < 80; presses++) {
    if (await there()) return
    await page.keyboard.press('Tab')
    const unseen = await page.evaluate(() => {
      const focused = document.activeElement
      if (!focused || focused === document.body) return null
      return getComputedStyle(focused).outlineStyle === 'none' ? focused.outerHTML.slice(0, 200) : null
    })
    expect(unseen, 'focused, and cannot be seen to be').toBeNull()
  }
  throw new Error('Tab does not lead there')
}
