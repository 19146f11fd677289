import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CDPSession, Page } from '@playwright/test'
import { startProvider, type Claims, type IdentityProvider } from './provider'
import { startNamedServer, type Server } from './server'
import { test as base } from './test'

/**
 * The product with ways to sign in beside passwords: two real OpenID providers, one that is down, and passkeys,
 * which want a name for an address.
 */
export interface World {
  server: Server
  google: IdentityProvider
  campus: IdentityProvider
  stop: () => Promise<void>
}

export async function startWorld(...flags: string[]): Promise<World> {
  const [google, campus] = await Promise.all([startProvider(), startProvider()])
  const file = join(tmpdir(), `providers-${randomUUID()}.json`)
  const entry = (id: string, label: string, { issuer, clientId, clientSecret }: IdentityProvider) => {
    return { id, label, issuer, clientId, clientSecret }
  }
  const entries = [
    entry('google', 'Google', google),
    entry('campus', 'Campus', campus),
    // Nothing listens on port 9.
    entry('away', 'Away', { ...campus, issuer: 'http://127.0.0.1:9' }),
  ]
  writeFileSync(file, JSON.stringify(entries))
  const server = await startNamedServer('--oidc', file, ...flags)
  rmSync(file)
  google.trust(server.url, 'google')
  campus.trust(server.url, 'campus')
  return {
    server,
    google,
    campus,
    stop: async () => void (await Promise.all([server, google, campus].map((each) => each.stop()))),
  }
}

export const test = base.extend<{ google: IdentityProvider; campus: IdentityProvider }, { world: World }>({
  world: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright finds out what a fixture needs from this pattern
    async ({}, use) => {
      const world = await startWorld()
      await use(world)
      await world.stop()
    },
    { scope: 'worker' },
  ],
  server: [async ({ world }, use) => use(world.server), { scope: 'worker' }],
  google: async ({ world }, use) => use(world.google),
  campus: async ({ world }, use) => use(world.campus),
})

/** Clicks the button of a provider and gives back the window that opens. */
export async function popupOf(page: Page, button: string): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: button }).click()
  return opened
}

/** A person with an account at a provider that vouches for their address. */
export function newcomer(provider: IdentityProvider, name: string): Claims {
  const claims = {
    name,
    email: `${name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.org`,
    email_verified: true,
  }
  provider.enrol(claims)
  return claims
}

/** A device with a fingerprint reader, as Chromium simulates one. */
export interface Device {
  cdp: CDPSession
  id: string
}

/** Gives the page's browser such a device; it is touched whenever it asks. */
export async function addDevice(page: Page): Promise<Device> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, id }
}

export { expect, type Page } from './test'
