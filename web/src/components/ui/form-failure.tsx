/** What went wrong: a code where one is wanted, and a plain sentence beside it. */
export interface Failure {
  code?: string
  sentence: string
}

/** Under a form: why it did not work. */
export function FormFailure({ failure }: { failure: Failure | null }) {
  return (
    <div role="alert" aria-live="polite">
      {failure && (
        <p className="rounded-control border border-red px-4 py-3 text-sm">
          {failure.code && <strong className="block font-semibold text-red">{failure.code}</strong>}
          {failure.sentence}
        </p>
      )}
    </div>
  )
}
