import type { ComponentProps } from 'react'
import { cx } from '@/lib/cx'

/** A sheet on the desk: a hairline, and a little lift where the whole card answers to the pointer. */
export function Card({
  lift = false,
  className,
  ...rest
}: ComponentProps<'div'> & { /** Raise the sheet on hover. */ lift?: boolean }) {
  return (
    <div
      {...rest}
      className={cx(
        'rounded-card border border-line bg-raised',
        lift && 'transition-shadow duration-200 ease-out hover:shadow-lift',
        className,
      )}
    />
  )
}
