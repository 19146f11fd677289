import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { outdate } from '@/lib/cache'
import { dropAllDrafts } from '@/lib/drafts'
import { signedIn, signedOut } from '@/lib/session'

export type Account = components['schemas']['Account']
export type OpenSession = components['schemas']['OpenSession']

export type Methods = components['schemas']['Methods']
export type LinkedProvider = components['schemas']['LinkedProvider']
export type Passkey = components['schemas']['Passkey']

export const accountKey = 'account'
export const methodsKey = 'methods'
export const sessionsKey = 'sessions'

export async function fetchAccount(): Promise<Account> {
  return (await answer(api.GET('/api/auth/account'))).data
}

export async function fetchMethods(): Promise<Methods> {
  return (await answer(api.GET('/api/auth/methods'))).data
}

/** The permission to link a provider's account; the window that signs in there takes it along. */
export async function linkTicket(provider: string): Promise<string> {
  const { data } = await answer(
    api.POST('/api/auth/oidc/{provider}/link', { params: { path: { provider } } }),
  )
  return data.ticket
}

export async function unlinkProvider(id: string): Promise<void> {
  await changingMethods(api.DELETE('/api/auth/providers/{id}', { params: { path: { id } } }))
}

/** Makes a passkey on the device in hand and keeps its public half. */
export async function addPasskey(name: string): Promise<void> {
  const [{ createPasskey }, { data }] = await Promise.all([
    import('@/lib/passkeys'),
    answer(api.POST('/api/auth/passkeys/options')),
  ])
  const credential = { ...(await createPasskey(data.options)) }
  await changingMethods(
    api.POST('/api/auth/passkeys', { body: { ceremony: data.ceremony, name, credential } }),
  )
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await changingMethods(api.PATCH('/api/auth/passkeys/{id}', { params: { path: { id } }, body: { name } }))
}

export async function removePasskey(id: string): Promise<void> {
  await changingMethods(api.DELETE('/api/auth/passkeys/{id}', { params: { path: { id } } }))
}

/** Shown anew after a refusal too: another tab or device may have changed them. */
async function changingMethods(call: Parameters<typeof answer>[0]): Promise<void> {
  try {
    await answer(call)
  } finally {
    outdate(methodsKey)
  }
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
