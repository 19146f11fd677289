import { t } from '@lingui/core/macro'
import { Problem } from './problem'

/** An answer without the expected content, for example a confirmation, is a failure, whatever its status. */
export function assertConfirmed(said: unknown): void {
  if (!said)
    throw new Problem(() => t`Unexpected response from the server. Please try again.`, {
      status: 200,
      code: 'unconfirmed',
    })
}
