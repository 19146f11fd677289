import { mutationOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { invalidate } from '@/lib/query'
import { signedIn, signedOut } from '@/lib/session'
import { sessionsQuery, signInMethodsQuery } from '@/entities/user/queries'

/** The permission to link a provider's account; the window that signs in there takes it along. */
export async function linkTicket(provider: string): Promise<string> {
  const { data } = await answer(
    api.POST('/api/auth/oidc/{provider}/link', { params: { path: { provider } } }),
  )
  return data.ticket
}

/** Changes the ways to sign in. They are shown anew after a refusal too: another tab or device may have changed them. */
const changing = <Input>(mutationFn: (input: Input) => Promise<unknown>) =>
  mutationOptions({
    mutationFn,
    onSettled: (_data, _error, _input, _before, { client }) =>
      invalidate(client, signInMethodsQuery.queryKey),
  })

export const unlinkProvider = changing((id: string) =>
  answer(api.DELETE('/api/auth/providers/{id}', { params: { path: { id } } })),
)

/** Makes a passkey on the user's device and keeps its public half. */
export const addPasskey = changing(async (name: string) => {
  const [{ createPasskey }, { data }] = await Promise.all([
    import('@/lib/passkeys'),
    answer(api.POST('/api/auth/passkeys/options')),
  ])
  const credential = { ...(await createPasskey(data.options)) }
  await answer(api.POST('/api/auth/passkeys', { body: { ceremony: data.ceremony, name, credential } }))
})

export const renamePasskey = changing(({ id, name }: { id: string; name: string }) =>
  answer(api.PATCH('/api/auth/passkeys/{id}', { params: { path: { id } }, body: { name } })),
)

export const removePasskey = changing((id: string) =>
  answer(api.DELETE('/api/auth/passkeys/{id}', { params: { path: { id } } })),
)

export const updateProfile = mutationOptions({
  mutationFn: async (input: { displayName: string; photoURL: string }) =>
    (await answer(api.PATCH('/api/auth/profile', { body: input }))).data,
  onSuccess: signedIn,
})

const endingSessions = <Input>(mutationFn: (input: Input) => Promise<unknown>) =>
  mutationOptions({
    mutationFn,
    onSuccess: (_data, _input, _before, { client }) => invalidate(client, sessionsQuery.queryKey),
  })

/** Ends all other sessions too. */
export const changePassword = endingSessions((input: { currentPassword: string; newPassword: string }) =>
  answer(api.PATCH('/api/auth/password', { body: input })),
)

export const endSession = endingSessions((id: string) =>
  answer(api.DELETE('/api/auth/sessions/{id}', { params: { path: { id } } })),
)

export const endOtherSessions = endingSessions(() => answer(api.DELETE('/api/auth/sessions')))

/** Sends an email to the new address; the link in it changes the account's. */
export const changeEmail = mutationOptions({
  mutationFn: (input: { email: string; password: string }) =>
    answer(api.POST('/api/auth/email', { body: input })),
})

export const requestVerification = mutationOptions({
  mutationFn: () => answer(api.POST('/api/auth/email/verification')),
})

/** Everything that is known of the user, as the text of a JSON file. */
export const exportData = mutationOptions({
  mutationFn: async () => (await answer(api.GET('/api/auth/export', { parseAs: 'blob' }))).data,
})

/** Ends the account and everything personal with it. */
export const deleteAccount = mutationOptions({
  mutationFn: () => answer(api.DELETE('/api/auth/account')),
  onSuccess: signedOut,
})
