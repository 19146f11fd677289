import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button, lazyDialog } from '@/components/ui'
import { Section } from './section'

const confirmDialog = lazyDialog(() => import('./delete-account-dialog'), {
  title: () => t`Delete your account?`,
})

/** Deletes the account, once the user has typed its email address: it cannot be undone. */
export function DeleteAccount({ email }: { email: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Section id="delete" title={t`Delete account`}>
      <p className="mb-5 max-w-prose text-soft">
        <Trans>
          Your name, your photo and your sign-in are deleted for good. Assignments you created stay, without
          your name. Submissions that are not graded yet are withdrawn.
        </Trans>
      </p>
      <Button variant="danger" {...confirmDialog.opener} onClick={() => setOpen(true)}>
        {t`Delete account`}
      </Button>
      {open && <confirmDialog.Dialog email={email} onClose={() => setOpen(false)} />}
    </Section>
  )
}
