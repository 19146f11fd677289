import { t } from '@lingui/core/macro'
import { explain } from './problem'
import type { SignIn } from './site'

/** The reason why passkeys do not work here, as a sentence; null where they do. */
export function whyNoPasskeys({ passkeys, publicOrigin }: SignIn): string | null {
  if (!passkeys) return t`Passkeys are not set up on this server.`
  if (publicOrigin !== null && publicOrigin !== window.location.origin) {
    return t`Passkeys work at ${publicOrigin} only.`
  }
  return 'PublicKeyCredential' in window ? null : t`This browser doesn’t support passkeys.`
}

/** The browser made or used no passkey; the message is shown to the user. */
export class PasskeyFailure extends Error {
  override readonly name = 'PasskeyFailure'
}

/** A passkey's failure, here or at the server, as one sentence. */
export function explainPasskey(error: unknown): string {
  return error instanceof PasskeyFailure ? error.message : explain(error)
}
