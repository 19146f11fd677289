import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'

interface SignInMethodRowProps {
  /** Describes the buttons, which are named alike in every row. */
  id: string
  title: string
  children: ReactNode
  actions: ReactNode
}

/** One way to sign in, and its actions. */
export function SignInMethodRow({ id, title, children, actions }: SignInMethodRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-raised p-4">
      <div id={id} className="min-w-0 flex-1 basis-64">
        <p className="font-semibold">
          <bdi className="wrap-anywhere">{title}</bdi>
        </p>
        {children}
      </div>
      <div className="flex flex-wrap gap-2">{actions}</div>
    </li>
  )
}

/** Beside a button that is off. */
export const lastMethodReason = () => t`Your only way to sign in. Add another first, then you can remove it.`
