import { login } from '../support/product'
import { settled, test, typeEverywhere, valuesIn } from '../support/everywhere'
import type { Locator } from '@playwright/test'
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

/** The buttons that can be pressed in scope, each name once. */
async function buttonsIn(scope: Locator): Promise<string[]> {
  const names = await scope
    .getByRole('button')
    .and(scope.page().locator(':enabled:not([aria-disabled=true], [aria-expanded])'))
    .filter({ visible: true })
    .evaluateAll((all) => all.map((one) => (one.ariaLabel ?? one.textContent).trim()))
  return [...new Set(names)].filter((name) => name !== '')
}

test('a double Enter on any button sends once, and answers no question', async ({
  page,
  world,
  consoleErrors,
}) => {
  test.slow()
  consoleErrors.allow(/40[14]|ERR_ABORTED|ERR_FAILED/)
  await page.context().addCookies(world.ada.cookies)
  /** What the page sends in one step: it is held, and does not reach the server. A switch sends on, then off. */
  const sent: string[] = []
  let release = () => {}
  let released: Promise<void> | null = null
  const hold = () => {
    release()
    sent.length = 0
    released = new Promise((resolve) => {
      release = () => {
        resolve()
        released = null
      }
    })
  }
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    if (!released || request.method() === 'GET' || request.url().endsWith('/time-zone')) {
      return route.fallback()
    }
    const body = (request.postData() ?? '').replace(/"id":"\w*"/, '')
    sent.push(`${request.method()} ${new URL(request.url()).pathname} ${body}`)
    await released
    return route.abort()
  })
  /** What presses have sent, and what answers lead to, is seen before what the page does later. */
  const drawn = () =>
    page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))
      await fetch('/api/nowhere')
    })
  /** Reports whether the button was there. It may leave with its dialog at any time: no press waits for it. */
  const enterTwice = async (button: Locator) => {
    const isThere = await button.evaluateAll((all) => {
      const [first] = all as HTMLElement[]
      first?.focus()
      return first !== undefined
    })
    if (!isThere) return false
    await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Enter')])
    await drawn()
    return true
  }
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  // Whatever waits in vain, the failure names the page and the button.
  const limit = { timeout: 60_000 }
  const seen = new Set<string>()
  let [forms, questions, sending] = [0, 0, 0]
  for (const path of world.pages.users) {
    let isFresh = false
    const freshen = async () => {
      if (isFresh && page.url().endsWith(path)) return
      // An address that differs only after # would open no document.
      if (path.includes('#')) await page.goto('about:blank')
      await page.goto(path)
      await settled(page)
      isFresh = true
    }
    await test.step(path, freshen, limit)
    for (const name of await buttonsIn(page.locator('body'))) {
      if (seen.has(name)) continue
      seen.add(name)
      const press = async () => {
        await freshen()
        const button = page.getByRole('button', { name, exact: true }).filter({ visible: true }).first()
        await expect(button).toBeVisible()
        hold()
        await enterTwice(button)
        if (await dialog.count()) {
          expect(sent, `${path}: ${name} opens a dialog, which needs an answer`).toEqual([])
          await expect(dialog.getByRole('status', { name: /^Loading/ })).toHaveCount(0)
          await typeEverywhere(dialog)
          const isQuestion = (await page.getByRole('alertdialog').count()) > 0
          for (const answer of await buttonsIn(dialog)) {
            if (/^(Cancel|Close|Back)$/.test(answer)) continue
            hold()
            const isThere = await enterTwice(
              dialog.getByRole('button', { name: answer, exact: true }).first(),
            )
            expect(new Set(sent).size, `${path}: ${name}: ${answer} sends ${sent.join()}`).toBe(sent.length)
            sending += sent.length
            release()
            await drawn()
            if (!isThere || !(await dialog.count())) break
          }
          if (isQuestion) questions++
          else forms++
        } else {
          expect(new Set(sent).size, `${path}: ${name} sends ${sent.join()}`).toBe(sent.length)
          sending += sent.length
        }
        isFresh = sent.length === 0 && (await dialog.count()) === 0
        release()
      }
      await test.step(`${path}: ${name}`, press, limit)
    }
  }
  console.log(`${seen.size} buttons, ${forms} forms, ${questions} questions, ${sending} requests`)
  expect(sending).toBeGreaterThan(20)
})

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
