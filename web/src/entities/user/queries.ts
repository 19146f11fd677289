import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { usuallyFreshMs } from '@/lib/query'

export type OpenSession = components['schemas']['OpenSession']
export type SignInMethods = components['schemas']['Methods']
export type LinkedProvider = components['schemas']['LinkedProvider']
export type Passkey = components['schemas']['Passkey']

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => (await answer(api.GET('/api/auth/account'))).data,
  staleTime: usuallyFreshMs,
  meta: { staleOn: [] },
})

/** The ways into the account: its password, accounts elsewhere, passkeys. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: async () => (await answer(api.GET('/api/auth/methods'))).data,
  staleTime: usuallyFreshMs,
  meta: { staleOn: [] },
})

/** Where the user is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await answer(api.GET('/api/auth/sessions'))).data,
  staleTime: usuallyFreshMs,
  meta: { staleOn: [] },
})
