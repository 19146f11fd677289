import { t } from '@lingui/core/macro'
import {
  WebAuthnAbortService,
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { PasskeyFailure } from './passkey-support'

/** The browser's part of passkeys (WebAuthn): JSON from the API in, JSON for the API out. Loaded on first use. */

/** Makes a passkey on this device, or on one that the browser asks for. */
export function createPasskey(options: unknown): Promise<object> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return explained(startRegistration({ optionsJSON }))
}

/**
 * Asks the browser for a passkey: in its own dialog, or (`conditional`) among the suggestions of the email field, until
 * `signal` aborts.
 */
export async function askForPasskey(
  options: unknown,
  { signal, conditional = false }: { signal: AbortSignal; conditional?: boolean },
): Promise<object> {
  signal.throwIfAborted()
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', cancel)
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  try {
    return await explained(startAuthentication({ optionsJSON, useBrowserAutofill: conditional }))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const reasons = (): Record<string, string> => ({
  NotAllowedError: t`The passkey was not used: it was canceled or took too long. Try again when you are ready.`,
  InvalidStateError: t`This device already has a passkey for your account.`,
  SecurityError: t`Passkeys do not work at this address.`,
  NotSupportedError: t`This device cannot create the kind of passkey that is needed.`,
})

/** The ceremony's result. A failure is explained to the user, unless this page aborted the ceremony. */
async function explained(ceremony: Promise<object>): Promise<object> {
  try {
    return await ceremony
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'AbortError') throw error
    throw new PasskeyFailure(reasons()[name] ?? t`The passkey did not work. Please try again.`, {
      cause: error,
    })
  }
}
