import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { CircledMark, Field, controlClass } from '@/components/ui'

interface MarkFieldProps extends ComponentProps<'input'> {
  /** Shapes the circle; the submitter will see the same one. */
  seed: string
  /** The text typed so far. */
  typed: string
  total: number | undefined
  error: string | undefined
}

function markHint(total: number | undefined): string {
  return total === undefined ? t`A whole number.` : t`A whole number from 0 to ${total}.`
}

function isMark(text: string, total = Infinity): boolean {
  return /^\d+$/.test(text.trim()) && Number(text) <= total
}

/** The obtained mark, and beside it how the pen will circle it. */
export function MarkField({ seed, typed, total, error, ...input }: MarkFieldProps) {
  const circled = isMark(typed, total)
  return (
    <Field label={t`Marks`} hint={markHint(total)} error={error}>
      {(wiring) => (
        <div className="flex items-center gap-4">
          <input
            type="number"
            inputMode="numeric"
            min={0}
            max={total}
            step={1}
            {...input}
            {...wiring}
            className={controlClass}
          />
          <span
            aria-hidden="true"
            className="flex shrink-0 items-center gap-1 font-display text-xl font-bold tabular-nums"
          >
            <CircledMark seed={circled ? seed : null} drawn className="min-h-14 min-w-14">
              {circled ? Number(typed) : <span className="text-soft">--</span>}
            </CircledMark>
            {total !== undefined && <span className="text-base font-medium text-soft">{t`of ${total}`}</span>}
          </span>
        </div>
      )}
    </Field>
  )
}
