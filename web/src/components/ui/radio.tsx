import type { ComponentProps } from 'react'
import { cx } from '@/lib/cx'

/** One of several choices of a form, with its label beside it. */
export function Radio({ children, className, ...input }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <label className={cx('flex min-h-11 cursor-pointer items-center gap-2', className)}>
      <input type="radio" {...input} className="size-5 shrink-0 accent-green" />
      {children}
    </label>
  )
}
