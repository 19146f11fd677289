// A reader's actions on each page, on a processor four times slower, and the page's response times: the worst
// interaction to next paint (INP), as the browser itself counts it.
import { chromium } from '@playwright/test'

const slowdown = 4

// Phones' width, so that tables are cards and the menu is folded.
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** By page: what to do there. Each step is an interaction, and waits for what it brings. */
const doings = {
  '/': async (page) => {
    await foldedMenu(page)
    await tap(page.getByRole('button', { name: 'Next slide' }))
    await tap(page.getByRole('button', { name: 'Do I need an account?' }))
    await tap(page.getByRole('navigation', { name: 'Featured pages' }).getByRole('button', { name: '2' }))
  },
  '/assignments': async (page) => {
    await foldedMenu(page)
    const search = page.getByRole('searchbox', { name: 'Search assignments' })
    await search.pressSequentially('angles')
    await search.clear() // or the level would be chosen among its matches
    await tap(page.getByRole('link', { name: 'Next', exact: true }))
    const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current]')
    await current.and(page.getByRole('link', { name: '2' })).waitFor()
    await page.getByRole('article').first().waitFor()
    await page.getByRole('combobox', { name: 'Level' }).selectOption('hard')
    await page.getByRole('article').filter({ hasNotText: 'Hard' }).first().waitFor({ state: 'hidden' })
    await page.getByRole('article').first().waitFor()
    await tap(page.getByRole('link', { name: 'Details' }).first())
    await page.waitForURL(/\/assignment\//)
  },
  '/assignment/:id': async (page) => {
    await foldedMenu(page)
    await tap(page.getByRole('button', { name: 'Take Assignment' }))
    await page.waitForURL(/\/auth\/login/)
  },
  '/auth/login': async (page) => {
    await page.getByRole('textbox', { name: 'Email', exact: true }).pressSequentially('someone@example.org')
    await page.getByLabel('Password', { exact: true }).pressSequentially('wrong')
    await tap(page.getByRole('button', { name: 'Show password' }))
  },
  '/create-assignment': async (page) => {
    await foldedMenu(page)
    await page.getByRole('textbox', { name: 'Title' }).pressSequentially('Angles in a triangle')
    await page.getByRole('textbox', { name: 'Description' }).pressSequentially('Measure three of them.')
    await tap(page.getByRole('button', { name: 'Open the calendar' }))
    await page.getByRole('grid').waitFor()
    await tap(page.getByRole('button', { name: 'Cancel' }))
    await tap(page.getByRole('button', { name: 'Create Assignment' }))
    await page.getByText('A whole number from 1 to 1,000.').waitFor()
  },
  '/pending-assignments': async (page) => {
    await foldedMenu(page)
    await tap(page.getByRole('button', { name: 'Give Mark' }).first())
    await page.getByRole('textbox', { name: 'Feedback' }).pressSequentially('Well drawn.')
    await tap(page.getByRole('button', { name: 'Cancel' }))
  },
  '/dashboard': async (page) => {
    await foldedMenu(page)
    const figure = page.getByRole('figure', { name: 'Marks over time' })
    await tap(figure.getByRole('img', { name: /^Marks/ }))
    await tap(figure.getByRole('button', { name: 'Show as table' }))
    await figure.getByRole('table').waitFor()
    await tap(figure.getByRole('button', { name: 'Show as table' }))
    const remind = page.getByRole('switch', { name: 'Remind me' }).first()
    // And back again, for the next round.
    for (const checked of ['false', 'true']) {
      await tap(remind)
      await page.locator(`main [role=switch][aria-checked=${checked}]`).first().waitFor()
    }
    await tap(page.getByRole('button', { name: /^Show all/ }))
  },
}

/** How long a finger stays on the glass, in milliseconds. */
const pressMs = 80

/** As people do it: they scroll, look, and then press. What scrolling costs is no part of the answer. */
async function tap(locator) {
  const page = locator.page()
  await locator.tap({ trial: true })
  await settled(page)
  const { x, y, width, height } = await locator.boundingBox()
  const devtools = await page.context().newCDPSession(page)
  const touch = (type, touchPoints) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [{ x: x + width / 2, y: y + height / 2 }])
  await page.waitForTimeout(pressMs)
  await touch('touchEnd', [])
  await devtools.detach()
}

async function foldedMenu(page) {
  const menu = page.getByRole('button', { name: 'Menu' })
  await tap(menu)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await tap(menu)
}

/** Opens a browser and hands out what measures in it. */
export async function openReader(url) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  return {
    /** The slowest answer to anything done on the page, in milliseconds; null where nothing is laid down to do. */
    async interact({ name, path, cookie }) {
      if (!doings[name]) return null
      const page = await newPage(browser, url, cookie)
      await page.addInitScript(() => {
        globalThis.slowest = 0
        new PerformanceObserver((list) => {
          for (const { interactionId, duration } of list.getEntries()) {
            if (interactionId) globalThis.slowest = Math.max(globalThis.slowest, duration)
          }
        }).observe({ type: 'event', durationThreshold: 16, buffered: true })
      })
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      await open(page, path)
      await doings[name](page)
      await settled(page)
      const slowest = await page.evaluate(() => globalThis.slowest)
      await page.context().close()
      return slowest
    },
    /** From the list to an assignment and back, in milliseconds from the click until each is painted. */
    async thereAndBack() {
      const page = await newPage(browser, url)
      await open(page, '/assignments')
      const there = await page.evaluate(timedClick, ['article a', 'main dl'])
      const back = await page.evaluate(timedClick, ['main article button', 'main article h2'])
      await page.context().close()
      return { there, back }
    },
    close: () => browser.close(),
  }
}

async function newPage(browser, url, cookie) {
  const context = await browser.newContext({ ...phone, baseURL: url })
  if (cookie) {
    const [name, value] = cookie.split('=')
    await context.addCookies([{ name, value, url }])
  }
  return context.newPage()
}

/** Until React answers and the browser has nothing left to do; the line is never idle, since pages listen on it. */
async function open(page, path) {
  await page.goto(path)
  await page.waitForFunction(() => {
    const button = document.querySelector('header button')
    return button && Object.keys(button).some((key) => key.startsWith('__reactProps'))
  })
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => resolve())))
}

/** Two frames later every event before is in the browser's list. */
const settled = (page) =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** Runs in the page: clicks one thing and waits for another, to the frame that shows it. */
function timedClick([press, wanted]) {
  return new Promise((resolve) => {
    const start = performance.now()
    const look = () => {
      if (document.querySelector(wanted)) resolve(Math.round(performance.now() - start))
      else requestAnimationFrame(look)
    }
    document.querySelector(press).click()
    requestAnimationFrame(look)
  })
}
