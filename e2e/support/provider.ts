import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { Provider, type ClientMetadata, type JWK } from 'oidc-provider'
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js'

/** A provider's user, who signs in there with their email address. */
export interface Claims {
  name: string
  email: string
  email_verified: boolean
}

/** A certified OpenID provider on this machine, with sign-in pages of its own. */
export interface IdentityProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Lets one product in, by its address; `id` is what the product calls this provider. */
  trust: (product: string, id: string) => void
  /** Adds an account. */
  enrol: (claims: Claims) => void
  stop: () => Promise<void>
}

export async function startProvider(): Promise<IdentityProvider> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => {
    response.writeHead(503).end()
  }
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['studycircle', randomUUID()]
  const people = new Map<string, Claims>()
  return {
    issuer,
    clientId,
    clientSecret,
    trust: (product, id) => {
      const client = { client_id: clientId, client_secret: clientSecret }
      const provider = makeProvider(issuer, people, {
        ...client,
        redirect_uris: [`${product}/api/auth/oidc/${id}/callback`],
      })
      const protocol = provider.callback()
      answer = (request, response) => {
        if (!request.url?.startsWith('/interaction/')) void protocol(request, response)
        else void interact(provider, people, request, response)
      }
    },
    enrol: (claims) => void people.set(claims.email, claims),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function makeProvider(issuer: string, people: Map<string, Claims>, client: ClientMetadata): Provider {
  const provider = new Provider(issuer, {
    clients: [client],
    // Name and e-mail in the ID token, as Google has them, not in a second answer alone.
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub'],
      profile: ['name'],
      email: ['email', 'email_verified'],
    },
    findAccount: (_, sub) => {
      const claims = people.get(sub)
      return claims && { accountId: sub, claims: () => ({ sub, ...claims }) }
    },
    // Who signs in agrees to be known.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    jwks: { keys: [signingKey()] },
    adapter: MemoryAdapter,
    cookies: { keys: [randomUUID()] },
  })
  return provider
}

function signingKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomUUID(),
    use: 'sig',
    alg: 'RS256',
  }
}

/** The provider's page, and what its two buttons do. */
async function interact(
  provider: Provider,
  people: Map<string, Claims>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(signInPage)
    return
  }
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const form = new URLSearchParams(body)
  const email = form.get('email') ?? ''
  const result =
    form.get('do') === 'sign in' && people.has(email)
      ? { login: { accountId: email } }
      : { error: 'access_denied', error_description: 'The person said no.' }
  await provider.interactionFinished(request, response, result, {
    mergeWithLastSubmission: false,
  })
}

const signInPage = `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><h1>Sign in at the provider</h1>
<form method="post"><label>E-mail <input name="email"></label>
<button name="do" value="sign in">Sign in</button><button name="do" value="refuse">Refuse</button></form></html>`

/** In the provider's window: signs in there. */
export async function signInAt(popup: Page, { email }: { email: string }): Promise<void> {
  await popup.getByRole('textbox', { name: 'E-mail' }).fill(email)
  // The window closes while the click is still waiting for the pages it leads through.
  await popup.getByRole('button', { name: 'Sign in' }).click({ noWaitAfter: true })
}
