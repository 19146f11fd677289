import { test as base, type Page } from '@playwright/test'
import { startServer, type Server } from './server'

interface Fixtures {
  /** Fails the test when a page reports an error in its console; a test that provokes one says which. */
  consoleErrors: { allow: (pattern: RegExp) => void }
}

interface WorkerFixtures {
  /** One program a worker, on a fresh database. Tests make the users and assignments they need. */
  server: Server
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright finds out what a fixture needs from this pattern
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  consoleErrors: [
    async ({ context }, use) => {
      const allowed: RegExp[] = []
      const errors: string[] = []
      const watch = (page: Page) => {
        page.on('pageerror', (error) => errors.push(error.message))
        page.on('console', (message) => {
          if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
        })
      }
      context.on('page', watch)
      await use({ allow: (pattern) => allowed.push(pattern) })
      const unexpected = errors.filter((text) => !allowed.some((pattern) => pattern.test(text)))
      base.expect(unexpected, 'errors in the browser console').toEqual([])
    },
    { auto: true },
  ],
})

export { expect } from '@playwright/test'
