import { expect, test } from '../support/test'

test('the home page, from the banner to the featured assignments', async ({ page }) => {
  await page.goto('/')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Study Together with StudyCircle')
  await expect(heading.locator('..')).toHaveCSS('animation-duration', '0.8s')
  await expect(page.getByRole('main')).toContainText(
    "Create assignments, collaborate with friends, and grade each other's work in a fun and interactive way.",
  )
  await expect(page.getByRole('heading', { level: 2, name: 'Frequently Asked Questions' })).toBeVisible()
  await expect(page.getByRole('button', { expanded: false, name: /\?$/ })).toHaveCount(7)
  await expect(
    page.getByRole('heading', { level: 3 }).filter({ hasText: /^(Create|Submit|Peer|Progress|Collab|Dead)/ }),
  ).toHaveText([
    'Create Assignments',
    'Submit Solutions',
    'Peer Grading',
    'Progress Tracking',
    'Collaboration Tools',
    'Deadline Reminders',
  ])
  const featured = page.getByRole('navigation', { name: 'Featured pages' })
  await expect(featured.getByRole('button')).toHaveText(['Prev', '1', '2', '3', '4', 'Next'])
  await expect(featured.getByRole('button', { name: 'Prev' })).toBeDisabled()
  await featured.getByRole('button', { name: '4' }).click()
  await expect(featured.getByRole('button', { name: 'Next' })).toBeDisabled()
  // A keyboard user who presses it to the end keeps the focus there.
  await featured.getByRole('button', { name: '3' }).click()
  await featured.getByRole('button', { name: 'Next' }).press('Enter')
  await expect(featured.getByRole('button', { name: 'Next' })).toBeDisabled()
  await expect(featured.getByRole('button', { name: 'Next' })).toBeFocused()
  await page.getByRole('link', { name: 'Get Started' }).click()
  await expect(page).toHaveURL(/\/assignments$/)
})

test('the banners: five, arrows, pause', async ({ page }) => {
  await page.goto('/')
  const banners = page.getByRole('region', { name: 'Banners' })
  // The four that wait are out of the way of the keyboard and of screen readers.
  await expect(banners.getByRole('group', { includeHidden: true })).toHaveCount(5)
  for (const name of ['Previous slide', 'Next slide', 'Pause']) {
    await expect(banners.getByRole('button', { name })).toBeVisible()
  }
})

test('the about page shows the developer of the site settings', async ({ page }) => {
  await page.goto('/about-Us')
  await expect(page).toHaveTitle('About Us | StudyCircle')
  await expect(page.getByRole('main')).toContainText('12+')
  await expect(page.getByRole('main').getByRole('img')).toBeVisible()
})

for (const path of ['/', '/about-Us', '/auth/login', '/auth/register']) {
  test(`${path} shows its content without a script`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ baseURL, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    await expect(page.locator('body')).not.toContainText('@@')
    await context.close()
  })
}

// Embla measures the strip with its place taken away, which must not take time.
test('the carousel shows the slide it names after the window has changed, with less motion too', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  const banners = page.getByRole('region', { name: 'Banners' })
  await banners.getByRole('button', { name: 'Next slide' }).click()
  const slide = banners.getByRole('group', { name: '2 of 5' })
  const aside = async () => {
    const [shown, window] = [await slide.boundingBox(), await banners.boundingBox()]
    return Math.abs((shown?.x ?? NaN) - (window?.x ?? NaN))
  }
  const border = 2
  for (const width of [320, 1280, 640]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(aside).toBeLessThan(border)
  }
})
