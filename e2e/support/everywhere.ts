import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { Api, signIn, type User } from './api'
import { mailedLink } from './mails'
import { uniqueWord } from './product'
import { serverWith, test as base } from './test'

/** Every page of the app, with something to see in each, for tests of what holds everywhere. */

interface ManifestPage {
  path: string
  audience?: 'all' | 'users' | 'visitors'
  redirectTo?: string
}

const manifest = JSON.parse(
  readFileSync(join(__dirname, '../../web/dist/.pages/manifest.json'), 'utf8'),
) as ManifestPage[]

const operator = 'everywhere@example.org'

/** A worker's program whose operator and moderator is Ada, filled once. */
export const test = base.extend<object, { world: World }>({
  server: [...serverWith(`--operators=${operator}`, `--moderators=${operator}`)],
  world: [
    async ({ playwright, browser, server }, use) => {
      const page = await browser.newPage({ baseURL: server.url })
      await use(await prepare(new Api(playwright.request, server.url), page, server.data))
      await page.close()
    },
    { scope: 'worker' },
  ],
})

export interface World {
  /** Creates, organizes and decides; also an operator and a moderator. */
  ada: User
  /** Hands in, reviews and appeals. */
  ben: User
  /** In texts that none but Ada and the members of her circle may read. */
  secret: string
  /** The address of each page, for Ada and for a visitor. */
  pages: Record<'users' | 'visitors', string[]>
}

const rubric = {
  criteria: [{ title: 'Argument', levels: [0, 20].map((marks) => ({ label: `Level ${marks}`, marks })) }],
}

/** Fills the server with what the pages show. */
async function prepare(api: Api, page: Page, data: string): Promise<World> {
  const ada = await api.register({ name: 'Ada Everywhere', email: operator, password: 'Circle1' })
  const [ben, cleo] = [await api.user('Ben'), await api.user('Cleo')]
  await verify(page, ada, data)

  const open = await api.assignment(ada.token, { title: uniqueWord() })
  const reviewed = await api.assignment(ada.token, { title: uniqueWord(), reviewsNeeded: 2, rubric })
  const marked = await api.assignment(ada.token, { title: uniqueWord() })
  const bens = await api.assignment(ben.token, { title: uniqueWord() })
  await api.submission(ben.token, await api.assignment(cleo.token, { title: uniqueWord() }))
  const comment = await api.comment(cleo.token, open, 'What is a tide?')
  await api.comment(ben.token, open, 'The sea, up and down.', comment)
  await api.comment(ada.token, open, 'A good question.')
  await api.report(cleo.token, bens, 'It is an advertisement.')
  const settledOne = await api.submission(ben.token, reviewed)
  await api.submission(cleo.token, reviewed)
  await api.submission(cleo.token, bens)
  await api.reviewByLevels(cleo.token, reviewed, [1], 'Well done.')
  await api.settle(ada.token, settledOne)
  const graded = await api.submission(ben.token, marked)
  await api.grade(ada.token, graded, 12, 'Well done.')
  const secret = uniqueWord()
  await api.submission(ada.token, bens, secret)
  const circle = await api.circle(ada.token, { name: `Circle ${secret}` })
  await api.assignment(ada.token, { title: `Task ${secret}`, circleId: circle })
  const link = await api.invite(ada.token, circle)
  await api.join(ben.token, link)

  const samples: Record<string, string[]> = {
    '/assignment/:id': [`/assignment/${open}`, `/assignment/${reviewed}`],
    '/assignment/update/:id': [`/assignment/update/${open}`],
    '/submission/:id/mark': [`/submission/${settledOne}/mark`],
    '/circle/:id': ['', '?tab=pending', '?tab=members', '?tab=marks', '?tab=reports', '?tab=settings'].map(
      (tab) => `/circle/${circle}${tab}`,
    ),
    '/unsubscribe/:id': ['/unsubscribe/none'],
    '/join': ['/join', new URL(link).pathname + new URL(link).hash],
    '/auth/reset': ['/auth/reset', '/auth/reset?token=none'],
    '/auth/verify': ['/auth/verify?token=none'],
    '*': ['/nowhere'],
  }
  const addressesOf = ({ path }: ManifestPage) => {
    expect(samples[path] ?? [path], `a sample address of ${path}`).not.toContainEqual(
      expect.stringMatching(/[:*]/),
    )
    return samples[path] ?? [path]
  }
  const pages = manifest.filter(({ redirectTo }) => !redirectTo)
  return {
    ada,
    ben,
    secret,
    pages: {
      users: pages.filter(({ audience }) => audience !== 'visitors').flatMap(addressesOf),
      visitors: pages.filter(({ audience }) => audience !== 'users').flatMap(addressesOf),
    },
  }
}

/** Confirms the user's address by the emailed link. */
async function verify(page: Page, user: User, data: string): Promise<void> {
  await expect.poll(() => mailedLink(data, user.email, 'verify')).toContain('token=')
  await signIn(page, user, mailedLink(data, user.email, 'verify'))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Thank you, your address is confirmed.')).toBeVisible()
}

/** Waits until the page’s script has taken over, and nothing of it is loading. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('#root')).not.toHaveAttribute('data-frame')
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('status', { name: /^Loading/ })).toHaveCount(0)
}

/** The boxes for text, but for passwords and searches. */
const boxes = (scope: Locator) =>
  scope
    .locator('input:is([type=text], [type=email], [type=url], [type=number], [type=time]), textarea')
    .and(scope.page().locator(':enabled:not([readonly], search *)'))
    .filter({ visible: true })

/** What stands in the boxes. */
export const valuesIn = (scope: Locator) =>
  boxes(scope).evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value))

/** Types into every box; returns what stands in them then. */
export async function typeEverywhere(scope: Locator): Promise<string[]> {
  const samples: Record<string, string> = { number: '7', time: '10:30', email: 'typed@example.net' }
  const address = new URL('/favicon.svg', scope.page().url()).href
  for (const box of await boxes(scope).all()) {
    await box.fill(samples[(await box.getAttribute('type')) ?? ''] ?? address)
  }
  return valuesIn(scope)
}
