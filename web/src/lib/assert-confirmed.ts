import { Problem } from './problem'

/** An answer without the expected content, for example a confirmation, is a failure, whatever its status. */
export function assertConfirmed(said: unknown): void {
  if (!said)
    throw new Problem('The server gave no proper answer. Please check, and try again.', {
      status: 200,
      code: 'unconfirmed',
    })
}
