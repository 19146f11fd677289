import { test as base, type BrowserContext, type Page } from '@playwright/test'
import { Api } from './api'
import { rememberCookies, watchSecrets } from './secrets'
import { startServer, type Server } from './server'

interface Fixtures {
  /** Fails the test on an error in a page's console, except for allowed patterns. */
  consoleErrors: { allow: (pattern: RegExp) => void; watch: (context: BrowserContext) => void }
  /** A page in a new browser context, as for another person at another computer. */
  newPerson: () => Promise<Page>
  api: Api
}

interface WorkerFixtures {
  /** One program for each worker, on a new database. Tests create their own users and assignments. */
  server: Server
}

/** The worker's program, started with flags, for `test.use` and `test.extend`. */
export const serverWith = (...flags: string[]) =>
  [
    // oxlint-disable-next-line no-empty-pattern -- Playwright finds out what a fixture needs from this pattern
    async ({}, use: (server: Server) => Promise<void>) => {
      const server = await startServer(...flags)
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ] as const

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [...serverWith()],
  baseURL: async ({ server }, use) => use(server.url),
  consoleErrors: [
    async ({ context }, use) => {
      const allowed: RegExp[] = []
      const errors: string[] = []
      const watch = (watched: BrowserContext) => {
        watchSecrets(watched)
        watched.on('page', (page) => {
          page.on('pageerror', (error) => errors.push(error.message))
          page.on('console', (message) => {
            if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
          })
        })
      }
      watch(context)
      await use({ allow: (pattern) => allowed.push(pattern), watch })
      await rememberCookies(context)
      const unexpected = errors.filter((text) => !allowed.some((pattern) => pattern.test(text)))
      base.expect(unexpected, 'errors in the browser console').toEqual([])
    },
    { auto: true },
  ],
  api: async ({ playwright, server }, use) => {
    const api = new Api(playwright.request, server.url)
    await use(api)
    await api.withdrawAll()
  },
  newPerson: async ({ browser, baseURL, consoleErrors }, use) => {
    const contexts: BrowserContext[] = []
    await use(async () => {
      const context = await browser.newContext({ baseURL })
      consoleErrors.watch(context)
      contexts.push(context)
      return context.newPage()
    })
    await Promise.all(
      contexts.map(async (context) => {
        await rememberCookies(context)
        await context.close()
      }),
    )
  },
})

export { expect, type Page } from '@playwright/test'
