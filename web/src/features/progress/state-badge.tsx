import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, CircledMark } from '@/components/ui'

interface StateBadgeProps {
  state: 'mine' | 'open' | 'pending' | 'graded'
  /** Of the best attempt that was graded, where there is one. */
  givenMark?: number | undefined
  marks?: number | undefined
  /** Shapes the pen's circle. */
  seed?: string
}

/** How far the viewer has come with an assignment; nothing where nothing was handed in. */
export function StateBadge({ state, givenMark, marks, seed = '' }: StateBadgeProps) {
  if (state === 'mine') return <Badge tone="quiet">{t`Yours`}</Badge>
  if (state === 'pending') return <Badge tone="success">{t`Handed in`}</Badge>
  if (state === 'graded' && givenMark !== undefined) {
    return <MarkOf givenMark={givenMark} marks={marks} seed={seed} />
  }
  return null
}

interface MarkOfProps {
  givenMark: number
  marks: number | undefined
  seed: string
}

/** An obtained mark, circled by the pen, and what could be obtained. */
function MarkOf({ givenMark, marks, seed }: MarkOfProps) {
  const mark = (
    <CircledMark
      seed={seed}
      className="-my-1 min-h-8 min-w-9 px-1.5 font-display font-bold text-ink tabular-nums"
    >
      {givenMark}
    </CircledMark>
  )
  return (
    <span className="whitespace-nowrap text-soft">
      <Trans>
        {mark} of {marks}
      </Trans>
    </span>
  )
}
