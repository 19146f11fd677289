import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { dropAllDrafts } from '@/lib/drafts'
import { signedIn, signedOut } from '@/lib/session'

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

/** Ends the session everywhere in this browser. */
export async function logout(): Promise<void> {
  await answer(api.POST('/api/auth/logout'))
  dropAllDrafts()
  signedOut()
}

export async function forgotPassword(email: string): Promise<void> {
  await answer(api.POST('/api/auth/password/forgot', { body: { email } }))
}

export async function verifyEmail(token: string): Promise<void> {
  await answer(api.POST('/api/auth/email/verify', { body: { token } }))
}

export async function resetPassword(token: string, password: string): Promise<void> {
  await answer(api.POST('/api/auth/password/reset', { body: { token, password } }))
}
