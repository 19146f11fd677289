import { expectToast, goTo, login, uniqueWord } from '../support/product'
import { expect, test } from '../support/test'

test('the header is one row at every width, its links in it or behind Menu', async ({ page, api }) => {
  await login(page, await api.user('Ada'))
  const header = page.getByRole('banner')
  const menu = header.getByRole('button', { name: 'Menu' })
  const nav = header.getByRole('navigation', { name: 'Main' })
  for (const width of [320, 390, 640, 768, 1024, 1279, 1280, 1600]) {
    await page.setViewportSize({ width, height: 800 })
    const inTheBar = width >= 1024
    await expect(menu, `${width}`).toBeVisible({ visible: !inTheBar })
    await expect(nav, `${width}`).toBeVisible({ visible: inTheBar })
    expect((await header.boundingBox())?.height, `${width}`).toBeLessThan(72)
  }
  await page.setViewportSize({ width: 820, height: 800 })
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  // The links that Menu unfolds come next.
  await expect(nav.getByRole('link', { name: 'Home' })).toBeFocused()
  const links = await nav.getByRole('link').count()
  for (let i = 0; i < links; i++) await page.keyboard.press('Tab')
  await expect(header.getByRole('switch', { name: 'Dark mode' })).toBeFocused()
})

test('after Back the focus is on the link that was followed', async ({ page, api }) => {
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  for (let i = 0; i < 8; i++) await api.assignment(token, { title: `${word} ${i}` })
  await page.goto(`/assignments?search=${word}`)
  const details = page.getByRole('article', { name: `${word} 0` }).getByRole('link', { name: 'Details' })
  // The script is there: the tooltip is its doing.
  await expect(page.locator('time').first()).toHaveAttribute('title', /day/)
  await details.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: `${word} 0` })).toBeFocused()
  await page.goBack()
  const focused = page.locator('article a:focus')
  await expect(focused).toHaveAttribute('href', /^\/assignment\//)
  await expect(focused).toBeInViewport()
})

test('cards, thumbnails and titles lead to the assignment when pressed', async ({ page, api }) => {
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  const id = await api.assignment(token, { title: word })
  await page.goto(`/assignments?search=${word}`)
  await page.getByRole('article', { name: word }).locator('img').click({ force: true })
  await expect(page).toHaveURL(`/assignment/${id}`)
})

test('a Featured entry is set for friends: the form comes filled in, after signing in', async ({
  page,
  api,
}) => {
  const ada = await api.user('Ada')
  await page.goto('/')
  await page.getByRole('link', { name: 'FizzBuzz for my aunt' }).click()
  await expect(page.getByText('You need an account to create an assignment.')).toBeVisible()
  await login(page, ada)
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('FizzBuzz for my aunt')
  await expect(page.getByRole('textbox', { name: 'Thumbnail' })).toHaveValue(
    /\/art\/thumbs\/programming\.svg$/,
  )
})

test('Login says why the user is there, and which session ended', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/401/)
  const ada = await api.user('Ada')
  await page.goto('/pending-assignments')
  await expect(page.getByText('You need an account to see what is waiting for a mark.')).toBeVisible()
  await login(page, ada)
  await goTo(page, 'Create Assignment')
  const title = uniqueWord()
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.getByRole('textbox', { name: 'Description' }).fill('Say what you think.')
  await page.getByLabel('Marks').fill('20')
  await page.getByRole('button', { name: 'Music' }).click()
  await page.getByRole('textbox', { name: 'Due Date' }).fill('2199/01/02')
  // Ended elsewhere: the cookie is gone, and the server takes the token no longer.
  await page.context().clearCookies()
  await page.route('**/api/assignments', (route) =>
    route.fulfill({ status: 401, json: { code: 'unauthenticated', detail: 'old' } }),
  )
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expect(page.getByText('You were signed out.')).toContainText('what you typed is kept')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await page.unroute('**/api/assignments')
  await login(page, ada)
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(title)
  await page.getByRole('button', { name: 'Create Assignment' }).click()
  await expectToast(page, 'Assignment created successfully')
})

test('a new password’s needs are beside its field, and stay', async ({ page }) => {
  await page.goto('/auth/register')
  const password = page.getByLabel('Password', { exact: true })
  await expect(password).toHaveAccessibleDescription(
    /at least one uppercase letter\s*at least one lowercase letter\s*at least 6 characters/,
  )
  await password.fill('abcdef')
  await expect(password).toHaveAccessibleDescription(
    /at least one uppercase letter\s*at least one lowercase letter\s*\(met\)\s*at least 6 characters\s*\(met\)/,
  )
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada')
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.org')
  await page.getByRole('button', { name: 'Woolly hat' }).click()
  await expect(page.getByRole('textbox', { name: 'Photo URL' })).toHaveValue(
    /^http.*\/art\/people\/zoe\.svg$/,
  )
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expectToast(page, 'Password must have at least one uppercase letter', 'alert')
  await expect(page.getByText('Still missing: at least one uppercase letter.')).toBeVisible()
  await expect(password).toBeFocused()
})

test('the address typed at Login is at Forgot; New password without a link says where to find it', async ({
  page,
}) => {
  await page.goto('/auth/login')
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.org')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('ada@example.org')
  await page.goto('/auth/reset')
  await expect(page.getByRole('link', { name: 'Send me a link' })).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
})

test('features that the server lacks are not offered, or say so before the press', async ({ page }) => {
  // At an address that is a number there are no passkeys.
  await page.goto('/auth/login')
  const google = page.getByRole('button', { name: 'Continue with Google' })
  await expect(google).toHaveAccessibleDescription('Google sign-in is not set up on this server.')
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0)
})
