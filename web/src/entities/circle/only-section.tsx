import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
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
  const section = <b className="wrap-anywhere">{label}</b>
  return (
    <p>
      <Trans>You see only the section {section}.</Trans>
      {children}{' '}
      <AppLink to={all} preventScrollReset className="link print:hidden">
        {t`Show all members`}
      </AppLink>
    </p>
  )
}
