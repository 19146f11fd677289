import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button, lazyDialog } from '@/components/ui'

const changeEmailDialog = lazyDialog(() => import('./change-email-dialog'), { title: () => t`Change email` })

/** Opens the form that gives the account another address. */
export function ChangeEmail() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="plain"
        size="sm"
        className="-ms-3"
        {...changeEmailDialog.opener}
        onClick={() => setOpen(true)}
      >
        {t`Change email`}
      </Button>
      {open && <changeEmailDialog.Dialog onClose={() => setOpen(false)} />}
    </>
  )
}
