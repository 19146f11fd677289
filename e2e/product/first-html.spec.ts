import { signIn } from '../support/api'
import { holdHydration, holdScripts } from '../support/hydration'
import { inDays, login, uniqueWord } from '../support/product'
import { expect, test, type Page } from '../support/test'

/** The first HTML is drawn at build and filled in by the server: it must equal React's own first render. */

const hostile = `<b>"x" &amp; 'y'</b> {{$.today}} </script><!--`
const drawn = /<div id="root" data-prerendered>.*<\/div>(?=\s*<script type="application\/json" id="boot">)/s

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
 * The elements in `html`, or of the page as it is: one a line, attributes in order. Parts that only the
 * browser knows are left out: tooltips by the reader's clock and of what cannot be done here, how long ago something was, drawn faces, page numbers, circles around marks, whether a form can be sent,
 * elements that scripts moved.
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
      if (!(node instanceof Element) || node.matches('nav[aria-label=Pages], td svg')) return
      // Whether a mark is new enough for an appeal.
      if (node.matches('td button') && node.textContent === 'Appeal') return
      // The ways to sign in beside a password.
      if (node.id === 'google-not-set-up') return
      // How long ago a comment was written, and the face beside it.
      if (node.matches('article[id^=comment-] :is(time, [aria-hidden])')) return
      const attributes = [...node.attributes]
        .filter(({ name }) => !['style', 'selected', 'disabled'].includes(name))
        .filter(({ name }) => !(name === 'title' && node.matches('time, button')))
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
  expect(kept, path).toEqual([true, true, true])
}

test('a visitor’s first HTML is what React draws', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/404/)
  const { token } = await api.user('Ada')
  const word = uniqueWord()
  const id = await api.assignment(token, {
    title: `${word} ${hostile}`,
    dueDate: inDays(0).replaceAll('/', '-'),
  })
  const thread = await api.comment(token, id, `${hostile} **bold** [link](https://example.org)`)
  for (let replies = 0; replies < 4; replies++) await api.comment(token, id, 'Reply', thread)
  for (let days = 1; days < 7; days++) {
    await api.assignment(token, {
      title: `${word} ${days}`,
      level: days % 2 > 0 ? 'medium' : 'hard',
      dueDate: inDays(days * 2).replaceAll('/', '-'),
    })
  }
  const paths = [
    '/',
    '/about-Us',
    '/auth/login',
    '/auth/register',
    '/auth/forgot',
    '/auth/reset?token=none',
    '/nowhere',
    '/assignment/none',
    `/assignment/${id}`,
  ]
  const lists = [
    `?search=${word}`,
    `?search=${word}&level=medium`,
    `?search=${word} 3`,
    '?search=<"nothing">&level=hard',
  ]
  for (const path of [...paths, ...lists.map((query) => `/assignments${query}`)]) {
    await expectDrawnAsReactWould(page, path)
  }
  await expectKept(page, `/assignment/${id}`)
  await expectKept(page, `/assignments?search=${word}`)
  await expect(page.getByRole('heading', { level: 2, name: hostile })).toBeVisible()
})

test('a user’s first HTML is what React draws', async ({ page, api, consoleErrors }) => {
  consoleErrors.allow(/404/)
  const ada = await api.user(`Ada ${hostile}`)
  const bo = await api.user('Bo')
  const word = uniqueWord()
  const own = await api.assignment(ada.token, { title: `${word} own` })
  const other = await api.assignment(bo.token, { title: `${word} other`, level: 'hard' })
  await api.grade(bo.token, await api.submission(ada.token, other), 0, hostile)
  await api.submission(bo.token, own)
  for (const [token, text] of [
    [ada.token, hostile],
    [bo.token, '# One\n\n- [x] two'],
  ] as const) {
    await api.comment(bo.token, own, 'A reply', await api.comment(token, own, text))
  }
  await login(page, ada)
  // The script fetches the user's progress, and the submissions and debts of their assignments.
  // It also fetches the number of notifications, the user's day, and circles.
  for (const call of [
    '**/api/progress?*',
    '**/api/assignment/*/submissions?*',
    '**/api/assignment/*/owes*',
    '**/api/dashboard',
    '**/api/notifications?*',
    '**/api/today',
    '**/api/circles?*',
  ])
    await page.route(call, () => undefined)
  for (const path of [`/assignment/${own}`, `/assignment/${other}`]) await expectDrawnAsReactWould(page, path)
  // That one waits for its mark, and where, the script finds out.
  await api.submission(ada.token, other)
  const paths = [
    '/',
    '/about-Us',
    '/nowhere',
    '/assignment/update/none',
    `/assignments?search=${word}`,
    '/create-assignment',
    '/attemded-assignments',
    '/attemded-assignments?page=1',
    '/pending-assignments',
    '/assignments?state=mine&level=easy',
    '/assignments?state=graded',
    '/assignments?state=due-soon',
    '/circles',
  ]
  for (const path of paths) await expectDrawnAsReactWould(page, path)
  const kept = [
    '/create-assignment',
    '/pending-assignments',
    '/attemded-assignments',
    '/profile',
    '/dashboard',
    // The script draws its form, but the elements around it stay.
    `/assignment/update/${own}`,
    `/circle/${await api.circle(ada.token, { name: hostile, description: '**One**' })}`,
  ]
  for (const path of kept) await expectKept(page, path)
})

test('a user page’s data comes with its HTML', async ({ page, api, browser }) => {
  const ada = await api.user('Ada')
  const bo = await api.user('Bo')
  const title = `${uniqueWord()} <b>`
  await api.submission(ada.token, await api.assignment(bo.token, { title }))
  await login(page, ada)
  const scriptless = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const reader = await scriptless.newPage()
  const response = await reader.goto(new URL('/attemded-assignments', page.url()).href)
  expect(response?.headers()['cache-control']).toBe('no-store')
  await expect(reader.getByRole('cell', { name: title })).toBeVisible()
  await expect(reader.getByRole('banner').getByRole('img', { name: ada.name })).toBeVisible()
  await reader.goto(new URL('/pending-assignments', page.url()).href)
  await expect(reader.getByRole('row').filter({ hasText: title })).toContainText('Own Submission')
  await scriptless.close()
})

test('a photo that is no picture shows initials, before the script is there and after it', async ({
  page,
  api,
  consoleErrors,
}) => {
  consoleErrors.allow(/404/)
  const user = await api.user('Ada')
  await page.request.patch('/api/auth/profile', {
    headers: { authorization: `Bearer ${user.token}` },
    data: { displayName: 'Ada Byron', photoURL: 'https://photo.invalid/none.png' },
  })
  await page.route('https://photo.invalid/**', (route) => route.fulfill({ status: 404, body: 'no' }))
  await login(page, { ...user, name: 'Ada Byron' })
  let go = () => {}
  const held = new Promise<void>((resolve) => (go = resolve))
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  for (const path of ['/', '/assignments', '/create-assignment', '/pending-assignments']) {
    await page.goto(path, { waitUntil: 'commit' })
    const photo = page.getByRole('banner').getByRole('img', { name: 'Ada Byron' })
    await expect(photo).toHaveAttribute('data-broken', '')
    await expect(photo).toHaveCSS('opacity', '0')
    await expect(page.getByRole('banner').getByText('AB', { exact: true })).toBeVisible()
  }
  go()
  await page.getByRole('switch', { name: 'Dark mode' }).click()
  await expect(page.getByRole('switch', { name: 'Dark mode' })).toBeChecked()
  await expect(page.getByRole('banner').getByRole('img', { name: 'Ada Byron' })).toHaveCSS('opacity', '0')
  await expect(page.getByRole('banner').getByText('AB', { exact: true })).toBeVisible()
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
  'while React hydrates': holdHydration,
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
