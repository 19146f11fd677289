import { t } from '@lingui/core/macro'
import type { Failure } from '@/components/ui'
import { explainPasskey } from '@/lib/passkey-support'
import type { Refusal } from '@/lib/popup/attempt'
import { Problem, explain, isProblem } from '@/lib/problem'

const sentences = (): Record<string, string> => ({
  'auth/invalid-credential': t`Incorrect email or password.`,
})

export function loginFailure(error: unknown): Failure {
  if (!(error instanceof Problem)) return { sentence: explain(error) }
  return { code: error.code, sentence: sentences()[error.code] ?? explain(error) }
}

/** How a pop-up failed; its messages are for people already. */
export function popupFailure({ code, message }: Refusal): Failure {
  return { code, sentence: message }
}

const unknownPasskey = () =>
  t`This passkey does not belong to an account here. It may have been removed. Sign in another way.`

export function passkeyFailure(error: unknown): Failure {
  const { code, sentence } = { code: undefined, ...loginFailure(error) }
  if (code === undefined) return { sentence: explainPasskey(error) }
  return { code, sentence: code === 'auth/invalid-credential' ? unknownPasskey() : sentence }
}

export function joinFailure(error: unknown): Failure {
  return isProblem(error, 'auth/invalid-action-code')
    ? { code: error.code, sentence: t`This took too long. Close this dialog and sign in again.` }
    : { sentence: explain(error) }
}
