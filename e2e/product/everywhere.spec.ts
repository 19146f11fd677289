import { login } from '../support/product'
import { boxes, openForm, settled, test, type Form, type World } from '../support/everywhere'
import { signIn } from '../support/api'
import { expect, type Page } from '../support/test'

/** What holds on every page of the manifest and in every form, however they come to be added. */

/** What any page may find in its navigation state. */
const state = { from: '/create-assignment', ended: true, published: { id: 'a', title: 'A', marks: 1 } }

const sampleOf: Record<string, string> = { number: '7', time: '10:30', email: 'ada@example.org' }

/** Types into every box; returns what is in them then. */
async function typeEverywhere(scope: ReturnType<Page['locator']>): Promise<string[]> {
  const all = boxes(scope)
  for (const box of await all.all()) {
    await box.fill(
      sampleOf[(await box.getAttribute('type')) ?? ''] ?? new URL('/favicon.svg', scope.page().url()).href,
    )
  }
  return valuesIn(scope)
}

const valuesIn = (scope: ReturnType<Page['locator']>) =>
  boxes(scope).evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value))

/** Reloads the page with a navigation state, as after a redirect. */
async function reloadWithState(page: Page): Promise<void> {
  await page.evaluate((usr) => history.replaceState({ ...history.state, usr }, ''), state)
  await page.reload()
  await settled(page)
}

async function storedAddresses(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.entries({ ...localStorage })
      .map(([name, value]) => `${name}=${value}`)
      .filter((line) => line.includes('@')),
  )
}

for (const audience of ['users', 'visitors'] as const) {
  test(`a reload with a navigation state keeps the pages of ${audience}, and what was typed`, async ({
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
        const main = page.getByRole('main')
        for (const reviews of await main.getByRole('combobox', { name: 'Reviews needed' }).all()) {
          await reviews.selectOption('3')
        }
        const before = await typeEverywhere(main)
        const heading = page.getByRole('heading', { level: 1 }).first()
        const title = (await heading.textContent()) ?? ''
        await reloadWithState(page)
        await expect(heading).toHaveText(title)
        await expect.poll(() => valuesIn(main), path).toEqual(before)
        expect(await storedAddresses(page), path).toEqual([])
        await page.evaluate(() => sessionStorage.clear())
      })
    }
  })
}

/** Opens each form in turn, in the browser of the one who may. */
async function inEveryForm(
  world: World,
  newPerson: () => Promise<Page>,
  act: (page: Page, form: Form) => Promise<void>,
): Promise<void> {
  for (const who of ['ben', 'ada'] as const) {
    const page = await newPerson()
    await signIn(page, world[who], '/')
    for (const form of world.forms.filter((one) => one.who === who)) {
      await test.step(`${form.path}: ${form.press.join(', ')}`, async () => {
        await page.goto(form.path)
        await settled(page)
        await act(page, form)
      })
    }
  }
}

test('a reload keeps what was typed in every form', async ({ world, newPerson }) => {
  await inEveryForm(world, newPerson, async (own, form) => {
    const before = await typeEverywhere(await openForm(own, form))
    await own.reload()
    await settled(own)
    const scope = await openForm(own, form)
    await expect.poll(() => valuesIn(scope)).toEqual(before)
  })
})

/** Composes a word in the focused box, as an input method does, and presses a key meanwhile. */
async function composer(page: Page) {
  const keyboard = await page.context().newCDPSession(page)
  return async (key: string, word: string) => {
    const end = word.length
    await keyboard.send('Input.imeSetComposition', { text: word, selectionStart: end, selectionEnd: end })
    const heard = { key, code: key, windowsVirtualKeyCode: 229 }
    await keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...heard })
    await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', ...heard })
    await keyboard.send('Input.insertText', { text: word })
  }
}

/** Composes in each box of words; nothing else may come of it. */
async function composeEverywhere(page: Page, scope: ReturnType<Page['locator']>): Promise<void> {
  const compose = await composer(page)
  const address = page.url()
  const sent: string[] = []
  const watch = (request: { method: () => string; url: () => string }) => {
    // Previews and the time zone are sent without a press.
    if (request.method() !== 'GET' && !/\/preview|time-zone/.test(request.url())) sent.push(request.url())
  }
  page.on('request', watch)
  const wordBoxes = scope
    .locator('input:is([type=text], [type=search], [type=email], [type=url]):enabled, textarea:enabled')
    .filter({ visible: true })
  for (const box of await wordBoxes.all()) {
    await box.focus()
    for (const key of ['Enter', 'Escape', 'ArrowDown', 'ArrowUp']) await compose(key, '語')
    await expect(box).toBeFocused()
    expect(await box.inputValue()).toContain('語語語語')
  }
  page.off('request', watch)
  expect(sent).toEqual([])
  expect(page.url()).toBe(address)
}

for (const audience of ['users', 'visitors'] as const) {
  test(`keys of an input method do nothing else on the pages of ${audience}`, async ({
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
        await composeEverywhere(page, page.locator('body'))
      })
    }
  })
}

test('keys of an input method do nothing else in any form', async ({ world, newPerson }) => {
  await inEveryForm(world, newPerson, async (own, form) => {
    const scope = await openForm(own, form)
    await composeEverywhere(own, scope)
    await expect(scope).toBeVisible()
  })
})

/** Goes to an address of the app as a link does. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
}

test('an answer that comes after the next user signed in is shown to none, on any page', async ({
  page,
  context,
  api,
  world,
  consoleErrors,
}) => {
  consoleErrors.allow(/40[134]|ERR_ABORTED/)
  await login(page, world.ada)
  const dan = await api.user('Dan')
  const other = await context.newPage()
  const own = [world.secret, world.ada.email]
  for (const path of world.pages.users) {
    await test.step(path, async () => {
      let release = () => {}
      const released = new Promise<void>((resolve) => (release = resolve))
      const held: Promise<void>[] = []
      await page.goto('/about-Us')
      await expect(page.getByRole('banner').getByRole('img', { name: world.ada.name })).toBeVisible()
      await page.route('**/api/**', async (route) => {
        if (route.request().method() !== 'GET' || /events|session/.test(route.request().url()))
          return route.fallback()
        const late = async () => {
          const response = await route.fetch().catch(() => null)
          await released
          await (response ? route.fulfill({ response }) : route.abort()).catch(() => undefined)
        }
        held.push(late())
        await held.at(-1)
      })
      await follow(page, path)
      await expect(page).toHaveURL(path)
      await other.goto('/about-Us')
      await other.getByRole('button', { name: 'Logout' }).click()
      await expect(other).toHaveURL(/\/auth\/login$/)
      await login(other, dan)
      await page.unroute('**/api/**')
      release()
      await Promise.all(held)
      await expect(page.getByRole('banner').getByRole('img', { name: 'Dan' })).toBeVisible()
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
      for (const text of own)
        await expect(page.getByRole('main').or(page.getByRole('banner'))).not.toContainText(text)
      const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
      for (const text of own) expect(kept, path).not.toContain(text)
      await other.getByRole('button', { name: 'Logout' }).click()
      await expect(other).toHaveURL(/\/auth\/login$/)
      await login(other, world.ada)
    })
  }
})

test('signing out during a renewal, here or in another tab, stays', async ({
  page,
  context,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/401/)
  for (const where of ['here', 'in another tab']) {
    const ada = await api.user('Ada')
    const tab = await context.newPage()
    await tab.clock.install()
    await signIn(tab, ada, '/dashboard')
    await expect(tab.getByRole('button', { name: 'Logout' })).toBeVisible()
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const asked = tab.waitForRequest('**/api/auth/session')
    let answered: Promise<void> | undefined
    await tab.route('**/api/auth/session', async (route) => {
      const late = async () => {
        const response = await route.fetch()
        await released
        await route.fulfill({ response })
      }
      answered = late()
      await answered
    })
    // The access token is old by now, and the next call renews it.
    await tab.clock.fastForward('14:00')
    await tab
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'My Attempted Assignments' })
      .click()
    await asked
    if (where === 'here') await tab.getByRole('button', { name: 'Logout' }).click()
    else {
      await page.goto('/about-Us')
      await page.getByRole('button', { name: 'Logout' }).click()
      await expect(tab).toHaveURL(/\/auth\/login$/)
    }
    release()
    await expect(tab).toHaveURL(/\/auth\/login$/)
    await answered
    await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    await expect(tab.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    await tab.unroute('**/api/auth/session')
    await tab.reload()
    await expect(tab.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    await tab.close()
  }
})

test('right to left: arrow keys and arrows follow the direction on every page', async ({
  page,
  world,
  consoleErrors,
}) => {
  consoleErrors.allow(/40[14]/)
  await page.context().addCookies(world.ada.cookies)
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => (document.documentElement.dir = 'rtl'))
  })
  for (const path of world.pages.users) {
    await test.step(path, async () => {
      await page.goto(path)
      await settled(page)
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        path,
      ).toBeLessThanOrEqual(0)
      // Rows of tabs: ArrowLeft leads on.
      for (const tabs of await page.getByRole('tablist').all()) {
        const [first, second] = [tabs.getByRole('tab').first(), tabs.getByRole('tab').nth(1)]
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
          .flatMap((control) => [...control.querySelectorAll('svg, path')])
          .filter((drawn) => drawn.matches('svg:has(path)'))
          .filter(
            (drawn) =>
              ![drawn, ...drawn.querySelectorAll('path')].some(
                (part) => getComputedStyle(part).scale === '-1 1',
              ),
          )
          .map((drawn) => drawn.outerHTML),
      )
      expect(unmirrored, path).toEqual([])
    })
  }
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
