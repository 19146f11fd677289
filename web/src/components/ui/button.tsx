import type { ComponentProps } from 'react'
import { Spinner } from './spinner'
import { buttonClass, type ButtonLook } from './button-class'

type ButtonProps = ComponentProps<'button'> &
  ButtonLook & {
    /**
     * While true the button does nothing and turns a spinner; its children should name the action. It is
     * not `disabled`, so that it keeps the focus.
     */
    busy?: boolean
  }

export function Button({ variant, size, busy = false, className, onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      // Sending the form by Enter presses its button, too.
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={buttonClass({ variant, size, className })}
    >
      {busy && <Spinner className="text-current!" />}
      {children}
    </button>
  )
}
