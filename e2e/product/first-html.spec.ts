import { signIn } from '../support/api'
import { holdDrawing, holdScripts } from '../support/hydration'
import { login, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/**
 * What the server sends before the script runs: pages as React draws them, which the script takes over, and frames with
 * the text of the list or of an assignment, which it replaces.
 */

const hostile = `<b>"x" &amp; 'y'</b> {{$.today}} </script><!--`
const drawn =
  /<div id="root"[^>]* data-prerendered[^>]*>.*<\/div>(?=\s*<script type="application\/json" id="boot">)/s
const pages = [
  '/',
  '/about-Us',
  '/lab',
  '/auth/login',
  '/auth/register',
  '/auth/forgot',
  '/auth/reset',
  '/nowhere',
]

/** Opens a page and waits until React has taken over, when the switch answers. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  const dark = page.getByRole('switch', { name: 'Dark mode' })
  await dark.click()
  await expect(dark).toBeChecked()
  await dark.click()
  await expect(dark).not.toBeChecked()
}

/**
 * The elements in `html`, or of the page as it is: one a line, attributes in order. Parts that only the browser knows are
 * left out: ways to sign in, whether a form can be sent, elements that scripts moved.
 */
function elements(page: Page, html?: string): Promise<string[]> {
  return page.evaluate((given) => {
    const root = given
      ? new DOMParser().parseFromString(given, 'text/html').getElementById('root')
      : document.getElementById('root')
    const lines: string[] = []
    // React numbers its ids differently where it hydrates; only which ids are equal counts.
    const ids: string[] = []
    const renamed = (text: string) =>
      text.replaceAll(/_[rR]_\w*?_/g, (id) => {
        if (!ids.includes(id)) ids.push(id)
        return `id${ids.indexOf(id)}`
      })
    const write = (node: Node, indent: string) => {
      if (node instanceof Text && node.data) {
        const last = lines.length - 1
        // React parts neighbouring texts by comments.
        if (node.previousSibling && !(node.previousSibling instanceof Element)) lines[last] += node.data
        else lines.push(indent + node.data)
      }
      if (!(node instanceof Element)) return
      // The ways to sign in beside a password.
      if (node.id === 'google-not-set-up') return
      const attributes = [...node.attributes]
        .filter(({ name }) => !['style', 'selected', 'disabled'].includes(name))
        .filter(
          ({ name }) => !(name.startsWith('aria-d') && node.matches('[aria-describedby=google-not-set-up]')),
        )
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map(({ name, value }) => `${name}="${renamed(value).replace('disabled:opacity-100', '').trim()}"`)
      lines.push(`${indent}<${[node.localName, ...attributes].join(' ')}>`)
      for (const child of node.childNodes) write(child, `${indent} `)
    }
    for (const child of root?.childNodes ?? []) write(child, '')
    return lines
  }, html)
}

async function expectDrawnAsReactWould(page: Page, path: string): Promise<void> {
  let sent = ''
  // The route stays, and leaves later visits alone: taking it away while files are under way loses some of them.
  await page.route(
    (url) => url.href === new URL(path, url).href,
    async (route) => {
      if (sent) return route.fallback()
      const response = await route.fetch()
      sent = await response.text()
      await route.fulfill({ response, body: sent.replace(drawn, '<div id="root"></div>') })
    },
  )
  await open(page, path)
  expect(sent, path).toMatch(drawn)
  expect(await elements(page, sent), path).toEqual(await elements(page))
}

/** Whether the elements that came are the ones that are there, or were drawn a second time. */
async function expectKept(page: Page, path: string): Promise<void> {
  await page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      if (document.readyState !== 'interactive') return
      Object.assign(window, { came: [...document.querySelectorAll('#root header, #root h1, #root footer')] })
    })
  })
  await open(page, path)
  const kept = await page.evaluate(() =>
    (window as unknown as { came: Element[] }).came.map((element) => element.isConnected),
  )
  expect(kept, path).not.toContain(false)
  expect(kept.length, path).toBeGreaterThan(2)
}

test('a visitor’s first HTML is what React draws, and stays', async ({ page, consoleErrors }) => {
  consoleErrors.allow(/404/)
  // The lab's bench is fetched when the page is there.
  for (const path of pages.filter((one) => one !== '/lab')) await expectDrawnAsReactWould(page, path)
  for (const path of pages) await expectKept(page, path)
})

test('a visit that the build did not draw is drawn anew', async ({ page, consoleErrors }) => {
  consoleErrors.allow(/404/)
  for (const path of ['/?from=mail', '/about-Us#main', '/auth/reset?token=none', '/nowhere?x=1']) {
    await open(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  // The reason to sign in is the tab's: it outlives a reload.
  await page.goto('/create-assignment')
  await expect(page.getByText('You need an account to create an assignment.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('You need an account to create an assignment.')).toBeVisible()
})

test('what users see of their own comes with the HTML, without a call', async ({ page, api }) => {
  const ada = await api.user('Ada')
  const bo = await api.user('Bo')
  const title = `${uniqueWord()} <b>`
  await api.submission(ada.token, await api.assignment(bo.token, { title }))
  await page.route('**/api/submissions?**', () => undefined)
  await page.context().addCookies(ada.cookies)
  const response = await page.goto('/attemded-assignments')
  expect(response?.headers()['cache-control']).toBe('no-store')
  await expect(page.getByRole('cell', { name: title })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('img', { name: ada.name })).toBeVisible()
  await page.goto('/pending-assignments')
  await expect(page.getByRole('row').filter({ hasText: title })).toContainText('Own Submission')
})

test('without a script there are the list, its pages and each assignment', async ({
  browser,
  baseURL,
  api,
}) => {
  const ada = await api.user(`Ada ${hostile}`)
  const word = uniqueWord()
  for (let i = 1; i <= 11; i++) {
    await api.assignment(ada.token, {
      title: `${word} ${i} ${hostile}`,
      description: `Read **${i}**. ${hostile}`,
    })
  }
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`/assignments?search=${word}`)
  await expect(page.getByRole('heading', { level: 1, name: 'All Assignments' })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(10)
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByText('Page 2 of 2')).toHaveAttribute('aria-current', 'page')
  await page.getByRole('article').getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(word) })).toContainText(hostile)
  await expect(page.getByRole('main')).toContainText(`Ada ${hostile}`)
  await expect(page.getByRole('main').getByText('Read')).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL('/assignments')
  await context.close()
})

for (const path of ['/', '/?from=mail']) {
  test(`a button of ${path} pressed before the script arrives is answered afterwards`, async ({ page }) => {
    const release = await holdScripts(page)
    await page.goto(path, { waitUntil: 'commit' })
    const dark = page.getByRole('switch', { name: 'Dark mode' })
    await dark.click()
    await expect(dark).not.toBeChecked()
    release()
    await expect(dark).toBeChecked()
  })

  test(`a button of ${path} pressed while React draws is answered once`, async ({ page }) => {
    const reach = await holdDrawing(page)
    await page.goto(path, { waitUntil: 'commit' })
    const goOn = await reach()
    const dark = page.getByRole('switch', { name: 'Dark mode' })
    await dark.click()
    await goOn()
    await expect(page.locator('#root')).not.toHaveAttribute('data-prerendered')
    await expect(dark).toBeChecked()
  })
}

test('controls wait for the script, and links do not', async ({ page, api }) => {
  const ada = await api.user('Ada')
  await page.context().addCookies(ada.cookies)
  const id = await api.assignment(ada.token, { title: uniqueWord() })
  const release = await holdScripts(page)
  await page.goto('/create-assignment', { waitUntil: 'commit' })
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Create Assignment' })).toBeDisabled()
  await page.goto('/assignments', { waitUntil: 'commit' })
  const level = page.getByRole('combobox', { name: 'Level' })
  await expect(level).toBeDisabled()
  await expect(level).toHaveCSS('opacity', '1')
  await page.locator(`a[href="/assignment/${id}"]`).first().click({ noWaitAfter: true })
  await expect(page).toHaveURL(`/assignment/${id}`)
  release()
  await expect(page.getByRole('button', { name: 'Logout' }).first()).toBeEnabled()
})

test('nothing moves as the script takes over', async ({ page, api }) => {
  const [ada, bo] = [await api.user('Ada'), await api.user('Bo')]
  const word = uniqueWord()
  let id = ''
  for (let i = 0; i < 4; i++) id = await api.assignment(ada.token, { title: `${word} ${i}`, level: 'hard' })
  await api.submission(bo.token, id)
  await page.addInitScript(() => {
    let moved = 0
    Object.assign(window, { moved: () => moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const expectStill = async (path: string) => {
    await page.goto(path)
    await expect(page.locator('#root')).not.toHaveAttribute('data-frame')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 200))))
    expect(await page.evaluate(() => (window as unknown as { moved: () => number }).moved()), path).toBe(0)
  }
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 900 },
  ]) {
    await page.setViewportSize(viewport)
    await page.context().clearCookies()
    for (const path of [`/assignments?search=${word}`, `/assignment/${id}`]) await expectStill(path)
    await page.context().addCookies(bo.cookies)
    for (const path of ['/dashboard', '/attemded-assignments', '/pending-assignments'])
      await expectStill(path)
  }
})

test('a photo that is no picture shows initials', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/404/)
  const user = await api.user('Ada')
  await page.request.patch('/api/auth/profile', {
    headers: { authorization: `Bearer ${user.token}` },
    data: { displayName: 'Ada Byron', photoURL: 'https://photo.invalid/none.png' },
  })
  await page.route('https://photo.invalid/**', (route) => route.fulfill({ status: 404, body: 'no' }))
  await login(page, { ...user, name: 'Ada Byron' })
  for (const path of ['/', '/assignments', '/create-assignment', '/pending-assignments']) {
    await page.goto(path)
    const photo = page.getByRole('banner').getByRole('img', { name: 'Ada Byron' })
    await expect(photo).toHaveAttribute('data-broken', '')
    await expect(photo).toHaveCSS('opacity', '0')
    await expect(page.getByRole('banner').getByText('AB', { exact: true })).toBeVisible()
  }
})

test('our own texts are written with the two fonts that pages preload', async ({ page }) => {
  for (const path of ['/', '/auth/login', '/auth/register', '/about-Us']) {
    await open(page, path)
    const fonts = await page.evaluate(async () => {
      await document.fonts.ready
      return performance
        .getEntriesByType('resource')
        .flatMap(({ name }) => /assets\/(.*)-.{8}\.woff2$/.exec(name)?.[1] ?? [])
        .toSorted()
    })
    expect(fonts, path).toEqual(['display', 'text'])
  }
})

/** Each holds the next page at a moment; its function comes there, and returns the one that lets the page go on. */
const moments = {
  'before the script starts': async (page: Page) => {
    const release = await holdScripts(page)
    return () => Promise.resolve(() => Promise.resolve(release()))
  },
  'while React draws': holdDrawing,
}
for (const [moment, hold] of Object.entries(moments)) {
  test(`Back ${moment} shows the page it leads to`, async ({ page, api }) => {
    const ada = await api.user('Ada')
    const word = uniqueWord()
    const dueDate = new Date(Date.now() + 3_600_000).toISOString()
    for (const level of ['easy', 'hard'])
      await api.assignment(ada.token, { title: `${word} ${level}`, level, dueDate })
    await signIn(page, ada, '/assignments?state=mine')
    const ours = page.getByRole('article').filter({ hasText: word })
    await expect(ours).toHaveCount(2)
    await page.getByRole('combobox', { name: 'Level' }).selectOption('Hard')
    await expect(ours).toHaveCount(1)

    const reach = await hold(page)
    await page.reload({ waitUntil: 'commit' })
    await expect(ours).toHaveCount(1)
    const goOn = await reach()
    await page.goBack({ waitUntil: 'commit' })
    await expect(page).toHaveURL('/assignments?state=mine')
    await goOn()
    await expect(ours).toHaveCount(2)
    await expect(page.getByRole('combobox', { name: 'Level' })).toHaveValue('')
  })
}
