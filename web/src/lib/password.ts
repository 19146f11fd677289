import { t } from '@lingui/core/macro'

interface Check {
  rule: RegExp
  /** The requirement, as shown beside the field. */
  wants: string
  /** The sentence a password without it is refused with. */
  fault: string
}

/** The checks of a new password. The server checks again. */
const checks = (): readonly Check[] => [
  {
    rule: /\p{Lu}/u,
    wants: t`at least one uppercase letter`,
    fault: t`Password must have at least one uppercase letter`,
  },
  {
    rule: /\p{Ll}/u,
    wants: t`at least one lowercase letter`,
    fault: t`Password must have at least one lowercase letter`,
  },
  { rule: /^.{6,}$/su, wants: t`at least 6 characters`, fault: t`Password must be at least 6 characters` },
]

/** The unmet requirements of a new password, in display order. */
export function passwordFaults(password: string): string[] {
  return checks()
    .filter(({ rule }) => !rule.test(password))
    .map(({ fault }) => fault)
}

/** The requirements of a new password, and whether it meets them. */
export function passwordNeeds(password: string): { wants: string; met: boolean }[] {
  return checks().map(({ rule, wants }) => ({ wants, met: rule.test(password) }))
}

/** The unmet requirements as a sentence; empty if there are none. */
export function passwordError(password: string): string {
  const missing = passwordNeeds(password).flatMap(({ wants, met }) => (met ? [] : wants))
  return missing.length > 0 ? t`Still missing: ${{ needs: missing.join(', ') }}.` : ''
}
