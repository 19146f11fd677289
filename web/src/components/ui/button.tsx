import type { ComponentProps } from 'react'
import { Spinner } from './spinner'
import { buttonClass, type ButtonLook } from './button-class'

type ButtonProps = ComponentProps<'button'> &
  ButtonLook & {
    /** While true the button is disabled and turns a spinner; give it children that say what it is doing. */
    busy?: boolean
  }

export function Button({ variant, size, busy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={busy || rest.disabled}
      aria-busy={busy || undefined}
      className={buttonClass({ variant, size, className })}
    >
      {busy && <Spinner className="text-current!" />}
      {children}
    </button>
  )
}
