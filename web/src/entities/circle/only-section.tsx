import type { ReactNode } from 'react'
import { AppLink } from '@/components/ui/app-link'

interface OnlySectionProps {
  label: string
  /** The address without the section. */
  all: string
  children?: ReactNode
}

/** Says that a list shows one section of a circle only. */
export function OnlySection({ label, all, children }: OnlySectionProps) {
  return (
    <p>
      You see only the section <b className="wrap-anywhere">{label}</b>.{children}{' '}
      <AppLink to={all} preventScrollReset className="link print:hidden">
        Show all members
      </AppLink>
    </p>
  )
}
