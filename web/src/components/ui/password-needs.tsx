import { t } from '@lingui/core/macro'
import { cx } from '@/lib/cx'
import { passwordNeeds } from '@/lib/password'
import { CheckIcon } from './icons'

/** The hint of a new password: its requirements, ticked off while the user types. */
export function PasswordNeeds({ password = '' }: { password?: string | undefined }) {
  return (
    <span className="mt-0.5 flex flex-wrap gap-x-4 gap-y-0.5">
      {passwordNeeds(password).map(({ wants, met }) => (
        <span key={wants} className={cx('inline-flex items-center gap-1.5', met && 'text-green')}>
          <CheckIcon done={met} />
          {wants}
          {met && <span className="sr-only">{t`(met)`}</span>}
        </span>
      ))}
    </span>
  )
}
