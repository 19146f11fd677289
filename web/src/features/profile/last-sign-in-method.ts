import type { SignInMethods } from '@/entities/user/queries'

type Way = { provider: string } | { passkey: string }

/** Whether nothing to sign in with would be left without it. The server decides the same, and has the last word. */
export function isLastSignInMethod(
  {
    password,
    providers,
    passkeys,
  }: Pick<SignInMethods, 'password'> & {
    providers: readonly { id: string }[]
    passkeys: readonly { _id: string }[]
  },
  configured: readonly { id: string }[],
  without: Way,
): boolean {
  if (password) return false
  const provider = 'provider' in without ? without.provider : null
  const passkey = 'passkey' in without ? without.passkey : null
  return (
    !providers.some(({ id }) => id !== provider && configured.some((other) => other.id === id)) &&
    !passkeys.some(({ _id: id }) => id !== passkey)
  )
}
