import { answer, api, renewSession } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { getSession, signedIn, signedOut } from '@/lib/session'

type Registration = components['schemas']['RegisterInputBody']

/** Signs in and gives back the name to greet. */
export async function login(credentials: { email: string; password: string }): Promise<string> {
  const { data } = await answer(api.POST('/api/auth/login', { body: credentials }))
  signedIn(data)
  return data.displayName
}

export async function register(input: Registration): Promise<string> {
  const { data } = await answer(api.POST('/api/auth/register', { body: input }))
  signedIn(data)
  return data.displayName
}

/** Takes over the session that a pop-up has begun, and gives back the name to greet; null where there is none. */
export async function takeSession(): Promise<string | null> {
  await renewSession()
  const session = getSession()
  if (session.status !== 'in') return null
  signedIn(session.user)
  return session.user.displayName
}

/** A ticket that stands for an invitation in the address of a provider's window, which is logged. */
export async function invitationTicket(provider: string, invitation: string): Promise<string> {
  const { data } = await answer(
    api.POST('/api/auth/oidc/{provider}/invitation', {
      params: { path: { provider } },
      body: { invitation },
    }),
  )
  return data.ticket
}

/** Joins the account with the provider's email address, or starts a new account and leaves that one. */
export async function joinAccount(ticket: string, keep: boolean): Promise<string> {
  const { data } = await answer(api.POST('/api/auth/oidc/confirm', { body: { ticket, keep } }))
  signedIn(data)
  return data.displayName
}

/** A challenge for the browser to sign, and the name of the ceremony to send back. */
export async function passkeyOptions(): Promise<{ ceremony: string; options: unknown }> {
  return (await answer(api.POST('/api/auth/passkeys/login/options'))).data
}

export async function passkeyLogin(ceremony: string, credential: object): Promise<string> {
  const { data } = await answer(
    api.POST('/api/auth/passkeys/login', { body: { ceremony, credential: { ...credential } } }),
  )
  signedIn(data)
  return data.displayName
}

/** Ends the session everywhere in this browser. */
export async function logout(): Promise<void> {
  await answer(api.POST('/api/auth/logout'))
  signedOut()
}

export async function forgotPassword(email: string): Promise<void> {
  await answer(api.POST('/api/auth/password/forgot', { body: { email } }))
}

export async function verifyEmail(token: string): Promise<void> {
  await answer(api.POST('/api/auth/email/verify', { body: { token } }))
  // The address may be a new one. A session that cannot be renewed now is renewed by the next call.
  await renewSession().catch(() => undefined)
}

export async function undoEmail(token: string): Promise<void> {
  await answer(api.POST('/api/auth/email/undo', { body: { token } }))
}

export async function resetPassword(token: string, password: string): Promise<void> {
  await answer(api.POST('/api/auth/password/reset', { body: { token, password } }))
}
