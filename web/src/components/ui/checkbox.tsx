import type { ComponentProps } from 'react'
import { cx } from '@/lib/cx'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: string
  /** One short line under the label. */
  hint?: string
  /** The label is for screen readers only, as in a table whose headers say it. */
  labelHidden?: boolean
}

/** A choice of a form, with its label beside it. */
export function Checkbox({ label, hint, labelHidden = false, className, ...input }: CheckboxProps) {
  if (labelHidden) {
    return (
      <label
        className={cx('inline-grid size-11 cursor-pointer place-items-center pointer-fine:size-6', className)}
      >
        <input type="checkbox" {...input} aria-label={label} className="size-5 accent-green" />
      </label>
    )
  }
  return (
    <label
      className={cx(
        'grid min-h-11 cursor-pointer grid-cols-[auto_minmax(0,1fr)] content-center items-start gap-x-3 py-2',
        className,
      )}
    >
      <input type="checkbox" {...input} className="mt-[calc(0.5lh-0.625rem)] size-5 accent-green" />
      <span>
        {label}
        {hint && <span className="block text-sm text-soft">{hint}</span>}
      </span>
    </label>
  )
}
