import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'

/** Users' actions, by visible names. */

export interface Person {
  name: string
  email: string
  password: string
}

/** A new person: tests share a database and must not share people. */
export function newPerson(name: string): Person {
  const first = name.toLowerCase().replace(/\W.*/s, '')
  return { name, email: `${first}-${randomUUID().slice(0, 8)}@example.org`, password: 'Circle1' }
}

export const photo = (page: Page) => `${new URL(page.url()).origin}/favicon.svg`

/** A word that no other test uses. */
export const uniqueWord = () => `w${randomUUID().replaceAll('-', '').slice(0, 10)}`

export async function register(page: Page, person: Person): Promise<void> {
  await page.goto('/auth/register')
  await fillRegistration(page, person)
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expectToast(page, `${person.name} your Register successfull`)
}

export async function fillRegistration(page: Page, { name, email, password }: Person): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email)
  await page.getByRole('textbox', { name: 'Photo URL', exact: true }).fill(photo(page))
  await page.getByLabel('Password', { exact: true }).fill(password)
}

export async function login(page: Page, { name, email, password }: Person): Promise<void> {
  if (!page.url().includes('/auth/login')) await page.goto('/auth/login')
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expectToast(page, `${name} your Login successfull`)
}

export async function goTo(page: Page, link: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link, exact: true }).click()
}

export interface AssignmentFields {
  title: string
  description?: string
  marks?: string
  level?: 'Easy' | 'Medium' | 'Hard'
  dueDate?: string
}

export async function fillAssignment(page: Page, fields: AssignmentFields): Promise<void> {
  await page.getByRole('textbox', { name: 'Title' }).fill(fields.title)
  await page.getByRole('textbox', { name: 'Description' }).fill(fields.description ?? 'Say what you think.')
  await page.getByLabel('Marks').fill(fields.marks ?? '20')
  await page.getByRole('textbox', { name: 'Thumbnail Image URL' }).fill(photo(page))
  await page.getByRole('combobox', { name: 'Level' }).selectOption(fields.level ?? 'Easy')
  await page.getByRole('textbox', { name: 'Due Date' }).fill(fields.dueDate ?? inDays(10))
}

export async function createAssignment(page: Page, fields: AssignmentFields): Promise<void> {
  await goTo(page, 'Create Assignment')
  await fillAssignment(page, fields)
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expectToast(page, 'Assignment created successfully')
  await expect(page).toHaveURL(/\/assignments$/)
}

/** Opens an assignment's details from the list, by searching its title. */
export async function openAssignment(page: Page, title: string): Promise<void> {
  await page.goto(`/assignments?search=${encodeURIComponent(title)}`)
  await card(page, title).getByRole('link', { name: 'Details' }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
}

export async function submitWork(page: Page, link: string, note = ''): Promise<void> {
  await page.getByRole('button', { name: 'Take Assignment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Submit Assignment' })
  await dialog.getByRole('textbox', { name: 'Google Docs Link' }).fill(link)
  await dialog.getByRole('textbox', { name: 'Note' }).fill(note)
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await answerBox(page, 'Success!', 'Assignment submitted successfully!')
}

export const card = (page: Page, title: string) => page.getByRole('article', { name: title })

export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Opens the menu of a row and returns an action in it. */
export async function actionOf(of: Locator, name: string): Promise<Locator> {
  await of.getByRole('button', { name: 'Actions' }).click()
  return of.getByRole('button', { name, exact: true })
}

/** A box that says `text` under `title`; presses a button in it. */
export async function answerBox(
  page: Page,
  title: string,
  text: string | null,
  button = 'OK',
): Promise<void> {
  const box = page
    .getByRole('dialog', { name: title, exact: true })
    .or(page.getByRole('alertdialog', { name: title, exact: true }))
  await expect(box).toBeVisible()
  if (text) await expect(box.getByText(text, { exact: true })).toBeVisible()
  await box.getByRole('button', { name: button, exact: true }).click()
  await expect(box).toBeHidden()
}

export async function expectToast(
  page: Page,
  text: string,
  role: 'status' | 'alert' = 'status',
): Promise<void> {
  await expect(page.getByRole(role).filter({ hasText: text })).toBeVisible()
}

/** The day `days` from today, yyyy/MM/dd. */
export function inDays(days: number): string {
  const date = new Date()
  date.setDate(date.getDate() + days)
  return [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('/')
}

const two = (value: number) => String(value).padStart(2, '0')
