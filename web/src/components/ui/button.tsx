import { use, type ComponentProps, type MouseEvent } from 'react'
import { useGuarded } from '@/lib/use-guarded'
import { Spinner } from './spinner'
import { LockContext } from './lock'
import { buttonClass, type ButtonLook } from './button-class'

type ButtonProps = Omit<ComponentProps<'button'>, 'onClick'> &
  ButtonLook & {
    /** While the promise that it returns is pending, the button does nothing. */
    onClick?: ((event: MouseEvent<HTMLButtonElement>) => unknown) | undefined
    /**
     * While true the button does nothing and turns a spinner; its children should name the action. It is
     * not `disabled`, so that it keeps the focus.
     */
    busy?: boolean
  }

export function Button({ variant, size, busy = false, className, onClick, children, ...rest }: ButtonProps) {
  const press = useGuarded(onClick)
  const locked = use(LockContext) && rest.type === 'submit'
  const waits = busy || locked
  return (
    <button
      type="button"
      {...rest}
      aria-busy={waits || undefined}
      aria-disabled={waits || rest['aria-disabled']}
      // Sending the form by Enter presses its button, too.
      onClick={(event) => (waits ? event.preventDefault() : void press(event))}
      className={buttonClass({ variant, size, className })}
    >
      {waits && <Spinner className="text-current!" />}
      {children}
    </button>
  )
}
