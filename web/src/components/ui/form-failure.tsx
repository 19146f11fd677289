import { Trans } from '@lingui/react/macro'

/** A failure in a plain sentence, with a code where the contract requires one. */
export interface Failure {
  code?: string
  sentence: string
}

/** Under a form: why it did not work. */
export function FormFailure({ failure }: { failure: Failure | null }) {
  const code = <span>{failure?.code}</span>
  return (
    <div role="alert" aria-live="polite">
      {failure && (
        <div className="rounded-control border border-red px-4 py-3 text-sm">
          <p className="font-semibold text-red">{failure.sentence}</p>
          {failure.code && (
            <p className="mt-1 text-soft">
              <Trans>Code: {code}</Trans>
            </p>
          )}
        </div>
      )}
    </div>
  )
}
