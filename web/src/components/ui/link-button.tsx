import { buttonClass, type ButtonLook } from './button-class'
import { AppLink, type AppLinkProps } from './app-link'

/** A link inside the app that looks like a button: for going somewhere, never for doing something. */
export function LinkButton({ variant, size, className, ...rest }: AppLinkProps & ButtonLook) {
  return <AppLink {...rest} className={buttonClass({ variant, size, className })} />
}
