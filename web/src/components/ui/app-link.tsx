import { Link, type LinkProps } from 'react-router'
import { prefetch } from '@/lib/prefetch'

export type AppLinkProps = Omit<LinkProps, 'className' | 'to'> & {
  to: string
  className?: string | undefined
}

/** A link to another page of the app. It fetches that page's code and data when someone is about to go there. */
export function AppLink({ to, ...rest }: AppLinkProps) {
  const warm = () => prefetch(to)
  return <Link to={to} {...rest} onPointerEnter={warm} onFocus={warm} />
}
