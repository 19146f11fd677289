import { Problem } from './problem'

/** An answer that does not say what it should, for example that something was done, is a failure, whatever its status. */
export function assertConfirmed(said: unknown): void {
  if (!said)
    throw new Problem('The server gave no proper answer. Please check, and try again.', {
      status: 200,
      code: 'unconfirmed',
    })
}
