import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { outdate } from '@/lib/cache'
import { dropAllDrafts } from '@/lib/drafts'
import { signedIn, signedOut } from '@/lib/session'

export type Account = components['schemas']['Account']
export type OpenSession = components['schemas']['OpenSession']

export const accountKey = 'account'
export const sessionsKey = 'sessions'

export async function fetchAccount(): Promise<Account> {
  return (await answer(api.GET('/api/auth/account'))).data
}

export async function fetchSessions(): Promise<OpenSession[]> {
  return (await answer(api.GET('/api/auth/sessions'))).data
}

export async function changeProfile(input: { displayName: string; photoURL: string }): Promise<void> {
  const { data } = await answer(api.PATCH('/api/auth/profile', { body: input }))
  signedIn(data)
}

/** Ends all other sessions too. */
export async function changePassword(input: { currentPassword: string; newPassword: string }): Promise<void> {
  await answer(api.PATCH('/api/auth/password', { body: input }))
  outdate(sessionsKey)
}

export async function endSession(id: string): Promise<void> {
  await answer(api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } }))
  outdate(sessionsKey)
}

export async function endOtherSessions(): Promise<void> {
  await answer(api.DELETE('/api/auth/sessions'))
  outdate(sessionsKey)
}

export async function askForVerification(): Promise<void> {
  await answer(api.POST('/api/auth/email/verification'))
}

/** Everything that is known of the user, as the text of a JSON file. */
export async function exportData(): Promise<Blob> {
  return (await answer(api.GET('/api/auth/export', { parseAs: 'blob' }))).data
}

/** Ends the account and everything personal with it. */
export async function deleteAccount(): Promise<void> {
  await answer(api.DELETE('/api/auth/account'))
  dropAllDrafts()
  signedOut()
}
