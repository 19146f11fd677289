import { t } from '@lingui/core/macro'
import { useState, type ComponentProps } from 'react'
import { cx } from '@/lib/cx'
import { Field, controlClass, type FieldProps } from './field'
import { EyeIcon } from './icons'

/** A password field whose text can be shown. `autoComplete` says whether it is an old or a new one. */
export function PasswordInput({
  label,
  hint,
  error,
  className,
  ...input
}: FieldProps & ComponentProps<'input'> & { autoComplete: 'current-password' | 'new-password' }) {
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(wiring) => (
        <div className="relative">
          <input
            spellCheck={false}
            autoCapitalize="none"
            {...input}
            {...wiring}
            type={shown ? 'text' : 'password'}
            className={cx(controlClass, 'pe-12')}
          />
          <button
            type="button"
            aria-label={shown ? t`Hide password` : t`Show password`}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-control text-soft hover:text-ink"
          >
            <EyeIcon struck={shown} />
          </button>
        </div>
      )}
    </Field>
  )
}
