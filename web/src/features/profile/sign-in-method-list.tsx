import { t } from '@lingui/core/macro'
import { LinkedProviders } from './linked-providers'
import { Passkeys } from './passkeys'
import { PasswordForm } from './password-form'
import type { SignInMethods } from '@/entities/user/queries'

/** The ways into the account, with what the user can do about each. */
export default function SignInMethodList({ methods }: { methods: SignInMethods }) {
  return (
    <div className="grid gap-x-10 gap-y-8 md:grid-cols-2 md:grid-rows-[auto_1fr]">
      <div className="md:row-span-2">
        <h3 className="mb-4">{t`Password`}</h3>
        <PasswordForm has={methods.password} />
      </div>
      <LinkedProviders methods={methods} />
      <Passkeys methods={methods} />
    </div>
  )
}
