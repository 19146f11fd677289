import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button, lazyDialog } from '@/components/ui'
import type { Assignment } from '@/entities/assignment/queries'

const copyDialog = lazyDialog(() => import('./copy-dialog'), { title: () => t`Copy the assignment` })

/** Opens the form that publishes an assignment again. */
export function Copy({ assignment }: { assignment: Assignment }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="plain"
        size="sm"
        className="-ms-3"
        {...copyDialog.opener}
        onClick={() => setOpen(true)}
      >
        {t`Copy`}
      </Button>
      {open && <copyDialog.Dialog assignment={assignment} onClose={() => setOpen(false)} />}
    </>
  )
}
