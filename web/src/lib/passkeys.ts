import { PasskeyFailure } from './passkey-support'

/**
 * The browser's part of passkeys (WebAuthn): JSON from the API in, JSON for the API out. Loaded when it is first
 * needed.
 */

/** Makes a passkey on this device, or on one that the browser asks for. */
export async function createPasskey(options: unknown): Promise<object> {
  const publicKey = creationOptions(options as PublicKeyCredentialCreationOptionsJSON)
  return toJSON(await ceremony(() => navigator.credentials.create({ publicKey })))
}

/**
 * Asks the browser for a passkey: in its own dialog, or (`conditional`) among the suggestions of the email field, until
 * `signal` aborts.
 */
export async function askForPasskey(
  options: unknown,
  how: { signal: AbortSignal; conditional?: boolean },
): Promise<object> {
  const publicKey = requestOptions(options as PublicKeyCredentialRequestOptionsJSON)
  const mediation = how.conditional ? 'conditional' : 'optional'
  return toJSON(await ceremony(() => navigator.credentials.get({ publicKey, mediation, signal: how.signal })))
}

const reasons: Record<string, string> = {
  NotAllowedError:
    'The passkey was not used: it was cancelled, or it took too long. Try again when you like.',
  InvalidStateError: 'This device has a passkey for your account already.',
  SecurityError: 'Passkeys do not work at this address.',
  NotSupportedError: 'This device cannot make a passkey of the kind that is needed.',
}

async function ceremony(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await ask()
    if (credential) return credential as PublicKeyCredential
  } catch (error) {
    // Aborted by this page.
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    const reason = error instanceof DOMException ? reasons[error.name] : undefined
    throw new PasskeyFailure(reason ?? 'The passkey did not work. Please try again.', { cause: error })
  }
  throw new PasskeyFailure('The browser gave no passkey. Please try again.')
}

function creationOptions(json: PublicKeyCredentialCreationOptionsJSON): PublicKeyCredentialCreationOptions {
  if ('parseCreationOptionsFromJSON' in PublicKeyCredential) {
    return PublicKeyCredential.parseCreationOptionsFromJSON(json)
  }
  const { challenge, user, excludeCredentials = [] } = json
  return {
    ...json,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(descriptor),
  } as PublicKeyCredentialCreationOptions
}

function requestOptions(json: PublicKeyCredentialRequestOptionsJSON): PublicKeyCredentialRequestOptions {
  if ('parseRequestOptionsFromJSON' in PublicKeyCredential) {
    return PublicKeyCredential.parseRequestOptionsFromJSON(json)
  }
  const { challenge, allowCredentials = [] } = json
  return {
    ...json,
    challenge: bytesOf(challenge),
    allowCredentials: allowCredentials.map(descriptor),
  } as PublicKeyCredentialRequestOptions
}

function descriptor({ id, type }: PublicKeyCredentialDescriptorJSON): PublicKeyCredentialDescriptor {
  return { id: bytesOf(id), type: type as PublicKeyCredentialType }
}

function toJSON(credential: PublicKeyCredential): object {
  if ('toJSON' in credential) return credential.toJSON()
  const { id, rawId, type, response, authenticatorAttachment } = credential as PublicKeyCredential
  const parts: Record<string, unknown> = { clientDataJSON: textOf(response.clientDataJSON) }
  for (const name of ['attestationObject', 'authenticatorData', 'signature', 'userHandle'] as const) {
    const part = (response as unknown as Record<string, ArrayBuffer | null>)[name]
    if (part) parts[name] = textOf(part)
  }
  if (response instanceof AuthenticatorAttestationResponse) parts['transports'] = response.getTransports()
  return {
    id,
    rawId: textOf(rawId),
    type,
    response: parts,
    authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
  }
}

/** base64url without padding, as the API writes bytes. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
}

function textOf(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
