import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Reported } from './mutations'
import { Button } from '@/components/ui/button'
import { lazyDialog } from '@/components/ui/lazy'

const reportDialog = lazyDialog(() => import('./report-dialog'), { title: () => t`Report` })

interface ReportProps {
  kind: Reported
  id: string
  describedBy?: string
  className?: string
}

/** Opens the form that reports content to moderators. */
export function Report({ kind, id, describedBy, className }: ReportProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="plain"
        size="sm"
        className={className}
        aria-describedby={describedBy}
        {...reportDialog.opener}
        onClick={() => setOpen(true)}
      >
        {t`Report`}
      </Button>
      {open && <reportDialog.Dialog kind={kind} id={id} onClose={() => setOpen(false)} />}
    </>
  )
}
