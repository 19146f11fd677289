import { explain } from './problem'
import type { SignIn } from './site'

/** Why there are no passkeys here, in a sentence for people; null where there are. */
export function whyNoPasskeys({ passkeys, publicOrigin }: SignIn): string | null {
  if (!passkeys) return 'Passkeys are not set up on this server.'
  if (publicOrigin !== null && publicOrigin !== window.location.origin) {
    return `Passkeys work at ${publicOrigin} only.`
  }
  return 'PublicKeyCredential' in window ? null : 'This browser does not know passkeys.'
}

/** Why the browser made or used no passkey; the message is for people. */
export class PasskeyFailure extends Error {
  override readonly name = 'PasskeyFailure'
}

/** What went wrong with a passkey, here or at the server, as one sentence. */
export function explainPasskey(error: unknown): string {
  return error instanceof PasskeyFailure ? error.message : explain(error)
}
