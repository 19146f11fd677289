import { useId, type ReactNode } from 'react'
import { cx } from '@/lib/cx'

export interface FieldProps {
  label: string
  /** One short line under the label: a format, a bound, or 'Optional'. */
  hint?: ReactNode
  /** The error, in words that say how to correct it. */
  error?: string | undefined
  /** Stands beside the label. */
  beside?: ReactNode
}

interface Wiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Wires label, hint and error to one control, for the whole app. */
export function Field({
  label,
  hint,
  error,
  beside,
  className,
  children,
}: FieldProps & { className?: string | undefined; children: (wiring: Wiring) => ReactNode }) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = cx(hint ? hintId : null, error ? errorId : null)
  return (
    <div className={cx('grid gap-1.5 print:hidden', className)}>
      <div className="flex flex-wrap items-end justify-between gap-x-2">
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        {beside}
      </div>
      {hint && (
        <p id={hintId} className="-mt-1 text-sm text-soft">
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error && (
        <p id={errorId} className="text-sm font-semibold text-red">
          {error}
        </p>
      )}
    </div>
  )
}

/** The look every control of a form shares. */
export const controlClass =
  'min-h-11 w-full rounded-control border border-edge bg-raised px-3 py-2 text-base text-ink transition-colors duration-150 placeholder:text-soft hover:border-ink aria-invalid:border-red aria-invalid:shadow-[inset_0_0_0_1px_var(--red)]'
