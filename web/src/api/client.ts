import createClient from 'openapi-fetch'
import { fetchCode } from '@/lib/load-code'
import { problemFrom, sessionChanged, unreachable } from '@/lib/problem'
import { getSession, startSession, tokenIsOld, userEmail, type Session } from '@/lib/session'
import type { paths } from './schema.gen'
import { takesId } from './takes-id'

/** No answer, or one of a balancer whose server is gone. Our own server's 503 says when to ask again. */
const isLost = (response: Response | null) =>
  !response || (response.status > 501 && !response.headers.has('Retry-After'))

/** A read that got lost, as on a server that was killed, is asked for once more, and not by all at the same moment. */
async function send(request: Request): Promise<Response> {
  const ask = () => fetch(request).catch(() => null)
  let response = await ask()
  if (isLost(response) && request.method === 'GET' && navigator.onLine && !request.signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 400))
    response = await ask()
  }
  if (!response) throw unreachable()
  return response
}

/** For the calls that go by the session cookie, or by nothing. */
const bare = createClient<paths>({ baseUrl: '/', fetch: send })

let renewing: { session: Session; done: Promise<void> } | null = null

/**
 * Reads the session by its cookie and takes the fresh access token. Concurrent callers share one call. A session that
 * has changed meanwhile, as by signing out, is newer than the answer and stays.
 */
export function renewSession(): Promise<void> {
  const session = getSession()
  if (renewing?.session === session) return renewing.done
  const read = async () => {
    const { data } = await unwrap(bare.GET('/api/auth/session'))
    if (getSession() === session) startSession(data.user)
  }
  const done = read().finally(() => {
    if (renewing?.session === session) renewing = null
  })
  renewing = { session, done }
  return done
}

/** Renews the session for a call by the signed-in user, which is never made as another one. */
async function renewForCaller(): Promise<void> {
  const caller = userEmail()
  await renewSession()
  const now = userEmail()
  if (caller !== null && now !== null && now !== caller) throw sessionChanged()
}

/** A token that is no longer good is replaced once, and the call repeated once. */
async function authorized(request: Request): Promise<Response> {
  if (tokenIsOld()) await renewForCaller()
  const hadToken = getSession().status === 'in'
  const response = await send(withToken(request.clone()))
  if (response.status !== 401 || !hadToken) return response
  const { code } = (await response.clone().json()) as { code?: string }
  if (code !== 'unauthenticated') return response
  await renewForCaller()
  return getSession().status === 'in' ? send(withToken(request)) : response
}

function withToken(request: Request): Request {
  const session = getSession()
  if (session.status === 'in') request.headers.set('Authorization', `Bearer ${session.user.accessToken}`)
  return request
}

/** For everything else: sends the access token where there is one. */
export const api = createClient<paths>({ baseUrl: '/', fetch: authorized })

/** Fetched apart, as no page needs it to begin. Where it cannot be fetched, what is sent has no id. */
const fetchRequestIds = () =>
  fetchCode(() => import('./request-ids')).then(
    ({ requestIds }) => requestIds,
    () => null,
  )
api.use({
  onRequest: async (call) =>
    takesId(call.request.method, call.schemaPath) ? (await fetchRequestIds())?.onRequest(call) : undefined,
  onResponse: async (call) => {
    if (takesId(call.request.method, call.schemaPath)) await (await fetchRequestIds())?.onResponse(call)
  },
})

type Call<T> = Promise<{ data?: T; error?: unknown; response: Response }>
type Answer<T> = { data: T; response: Response }

/** Unwraps an answer; what the API refused is thrown as a Problem, as is an answer for a user who has left since. */
export async function answer<T>(call: Call<T>): Promise<Answer<T>> {
  const caller = userEmail()
  const unwrapped = await unwrap(call)
  if (userEmail() !== caller) throw sessionChanged()
  return unwrapped
}

async function unwrap<T>(call: Call<T>): Promise<Answer<T>> {
  const { data, error, response } = await call
  if (!response.ok) throw problemFrom(response, error)
  return { data: data as T, response }
}
