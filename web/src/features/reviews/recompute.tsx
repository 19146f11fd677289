import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button, CheckIcon } from '@/components/ui'

interface RecomputeProps {
  /** What the server made. */
  estimate: number
  givenMark: number
  /** What this page makes of the same inputs. */
  made: { estimate: number; mark: number }
}

/** Makes the mark again, here, from what the page shows. */
export function Recompute({ estimate, givenMark, made }: RecomputeProps) {
  const [asked, setAsked] = useState(false)
  const { mark } = made
  const computed = made.estimate.toFixed(4)
  const agrees = mark === givenMark && Math.abs(made.estimate - estimate) < 1e-6
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <Button variant="quiet" onClick={() => setAsked(true)}>
        {t`Recompute`}
      </Button>
      <p role="status" className={agrees ? 'text-leaf' : 'text-red'}>
        {asked && (
          <span className="inline-flex items-center gap-2 font-semibold tabular-nums">
            {agrees && <CheckIcon done />}
            {agrees
              ? t`Computed here: ${computed}, so ${mark}. It agrees.`
              : t`Computed here: ${computed}, so ${mark}. It does not agree.`}
          </span>
        )}
      </p>
    </div>
  )
}
