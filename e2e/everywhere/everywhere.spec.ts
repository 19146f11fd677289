import { login } from '../support/product'
import { settled, test, typeEverywhere, valuesIn } from '../support/everywhere'
import { expect, type Page } from '../support/test'

/** What holds on every page of the manifest. */

/** What any page may find in its navigation state. */
const state = { from: '/create-assignment', ended: true, published: { id: 'a', title: 'A', marks: 1 } }

/** All that the browser keeps for the app but drafts, which are what the user typed. */
const kept = (page: Page) =>
  page.evaluate(() =>
    [localStorage, sessionStorage].flatMap((store) =>
      Object.entries(store).map(([name, value]) => (name.startsWith('draft:') ? name : `${name}=${value}`)),
    ),
  )

/** Goes to an address of the app as a link does. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
}

/** Right to left: nothing is wider than the page, ArrowLeft leads on, and arrows point the other way. */
async function readsRightToLeft(page: Page): Promise<void> {
  await page.evaluate(() => (document.documentElement.dir = 'rtl'))
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  for (const tabs of await page.getByRole('tablist').all()) {
    const [first, second] = [tabs.getByRole('tab').first(), tabs.getByRole('tab').nth(1)]
    const start = tabs.getByRole('tab', { selected: true })
    if ((await start.textContent()) !== (await first.textContent())) continue
    await first.focus()
    await first.press('ArrowLeft')
    await expect(second).toBeFocused()
    await second.press('ArrowRight')
    await expect(first).toBeFocused()
  }
  const unmirrored = await page.evaluate(() =>
    [...document.querySelectorAll('main button, main a')]
      .filter((control) =>
        /^(Back|Previous slide|Next slide)$|View Document/.test(
          control.ariaLabel ?? control.textContent ?? '',
        ),
      )
      .flatMap((control) => [...control.querySelectorAll('svg')])
      .filter((drawn) =>
        [drawn, ...drawn.querySelectorAll('path')].every((part) => getComputedStyle(part).scale !== '-1 1'),
      )
      .map((drawn) => drawn.outerHTML),
  )
  expect(unmirrored).toEqual([])
  await page.evaluate(() => document.documentElement.removeAttribute('dir'))
}

for (const audience of ['users', 'visitors'] as const) {
  test(`the pages of ${audience}: right to left, reloaded with a navigation state and what was typed`, async ({
    page,
    world,
    consoleErrors,
  }) => {
    consoleErrors.allow(/40[14]/)
    if (audience === 'users') await page.context().addCookies(world.ada.cookies)
    for (const path of world.pages[audience]) {
      await test.step(path, async () => {
        await page.goto(path)
        await settled(page)
        await readsRightToLeft(page)
        const main = page.getByRole('main')
        for (const reviews of await main.getByRole('combobox', { name: 'Reviews needed' }).all()) {
          await reviews.selectOption('3')
        }
        const before = await typeEverywhere(main)
        const heading = page.getByRole('heading', { level: 1 }).first()
        const title = (await heading.textContent()) ?? ''
        await page.evaluate((usr) => history.replaceState({ ...history.state, usr }, ''), state)
        await page.reload()
        await settled(page)
        await expect(heading, path).toHaveText(title)
        await expect.poll(() => valuesIn(main), path).toEqual(before)
        for (const one of await kept(page)) {
          expect(one, path).not.toContain(world.ada.email)
          expect(one, path).not.toContain('@')
        }
        await page.evaluate(() => [localStorage, sessionStorage].forEach((store) => store.clear()))
      })
    }
  })
}

test('an answer that comes after the next user signed in is shown to none, on any page', async ({
  context,
  api,
  world,
  consoleErrors,
}) => {
  consoleErrors.allow(/40[134]|ERR_ABORTED/)
  await context.addCookies(world.ada.cookies)
  const dan = await api.user('Dan')
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const held: Promise<void>[] = []
  const tabs: { path: string; page: Page }[] = []
  let page = await context.newPage()
  let isAsking = true
  for (const path of world.pages.users) {
    await test.step(path, async () => {
      if (isAsking) {
        page = await context.newPage()
        await page.goto('/about-Us')
        await expect(page.getByRole('banner').getByRole('img', { name: world.ada.name })).toBeVisible()
        await page.route('**/api/**', async (route) => {
          if (route.request().method() !== 'GET' || /events|session/.test(route.request().url())) {
            return route.fallback()
          }
          isAsking = true
          const late = async () => {
            const response = await route.fetch().catch(() => null)
            await released
            await (response ? route.fulfill({ response }) : route.abort()).catch(() => undefined)
          }
          held.push(late())
          return held.at(-1)
        })
      }
      isAsking = false
      await follow(page, path)
      await expect(page).toHaveURL(path)
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))))
      if (isAsking) tabs.push({ path, page })
    })
  }
  const other = await context.newPage()
  await other.goto('/about-Us')
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(other).toHaveURL(/\/auth\/login$/)
  await login(other, dan)
  release()
  await Promise.all(held)
  expect(tabs.length).toBeGreaterThan(8)
  for (const { path, page: tab } of tabs) {
    await test.step(path, async () => {
      await expect(tab.getByRole('banner').getByRole('img', { name: 'Dan' })).toBeVisible()
      await expect(tab.locator('main')).toBeVisible()
      const text = await tab.locator('body').innerText()
      expect(text, path).not.toContain(world.secret)
    })
  }
  for (const own of [world.secret, world.ada.email]) expect((await kept(other)).join()).not.toContain(own)
})

test('right to left: the carousel and the calendar', async ({ page, world }) => {
  await page.context().addCookies(world.ada.cookies)
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => (document.documentElement.dir = 'rtl'))
  })
  await page.goto('/')
  const slide = page.getByRole('group', { name: /of 5$/ }).and(page.locator('[aria-hidden=false]'))
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(slide).toHaveAccessibleName('1 of 5')
  await page.getByRole('button', { name: 'Next slide' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(slide).toHaveAccessibleName('2 of 5')
  await page.keyboard.press('ArrowRight')
  await expect(slide).toHaveAccessibleName('1 of 5')

  await page.goto('/create-assignment')
  await page.getByRole('button', { name: 'Open the calendar', exact: true }).click()
  const today = page.getByRole('grid').getByRole('button').and(page.locator(':focus'))
  await expect(today).toBeFocused()
  const day = async () => /\d{4}.*/.exec((await today.getAttribute('aria-label')) ?? '')?.[0] ?? ''
  const before = await day()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await day()) > before).toBe(true)
  await page.keyboard.press('ArrowRight')
  await expect.poll(day).toBe(before)
})
