import createClient from 'openapi-fetch'
import { problemFrom, unreachable } from '@/lib/problem'
import { getSession, startSession, tokenIsOld } from '@/lib/session'
import type { paths } from './schema.gen'

async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch {
    throw unreachable()
  }
}

/** For the calls that go by the session cookie, or by nothing. */
const bare = createClient<paths>({ baseUrl: '/', fetch: send })

let renewing: Promise<void> | null = null

/** Asks who is signed in, by the session cookie, and takes the fresh access token. Concurrent callers share one call. */
export function renewSession(): Promise<void> {
  renewing ??= answer(bare.GET('/api/auth/session'))
    .then(({ data }) => startSession(data.user))
    .finally(() => {
      renewing = null
    })
  return renewing
}

/** A token that is no longer good is replaced once, and the call repeated once. */
async function authorized(request: Request): Promise<Response> {
  if (tokenIsOld()) await renewSession()
  const hadToken = getSession().status === 'in'
  const response = await send(withToken(request.clone()))
  if (response.status !== 401 || !hadToken) return response
  const { code } = (await response.clone().json()) as { code?: string }
  if (code !== 'unauthenticated') return response
  await renewSession()
  return getSession().status === 'in' ? send(withToken(request)) : response
}

function withToken(request: Request): Request {
  const session = getSession()
  if (session.status === 'in') request.headers.set('Authorization', `Bearer ${session.user.accessToken}`)
  return request
}

/** For everything else: sends the access token where there is one. */
export const api = createClient<paths>({ baseUrl: '/', fetch: authorized })

/** Unwraps an answer; what the API refused is thrown as a Problem. */
export async function answer<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<{ data: T; response: Response }> {
  const { data, error, response } = await call
  if (!response.ok) throw problemFrom(response, error)
  return { data: data as T, response }
}
