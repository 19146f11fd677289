import { answer, api } from '@/api/client'
import { dropAllDrafts } from '@/lib/drafts'
import { signedIn, signedOut } from '@/lib/session'

export async function changeProfile(input: { displayName: string; photoURL: string }): Promise<void> {
  const { data } = await answer(api.PATCH('/api/auth/profile', { body: input }))
  signedIn(data)
}

/** Ends the account and everything personal with it. */
export async function deleteAccount(): Promise<void> {
  await answer(api.DELETE('/api/auth/account'))
  dropAllDrafts()
  signedOut()
}
