import { Trans } from '@lingui/react/macro'

/** A mark, and in smaller letters what it is out of. */
export function MarkOf({ mark, total }: { mark: number | string; total: number }) {
  return (
    <Trans>
      {mark} <span className="text-base font-medium text-soft">of {total}</span>
    </Trans>
  )
}
