import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button, lazyDialog } from '@/components/ui'
import type { ExtraTimeProps } from './extra-time-dialog'

const extraTimeDialog = lazyDialog(() => import('./extra-time-dialog'), { title: () => t`Extra time` })

interface ExtraTimeButtonProps extends Omit<ExtraTimeProps, 'onClose'> {
  /** Says which row it is. */
  describedBy: string
}

/** Opens the form that gives one student more time. */
export function ExtraTime({ describedBy, ...whose }: ExtraTimeButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="plain"
        size="sm"
        aria-describedby={describedBy}
        {...extraTimeDialog.opener}
        onClick={() => setOpen(true)}
      >
        {t`Extra time`}
      </Button>
      {open && <extraTimeDialog.Dialog {...whose} onClose={() => setOpen(false)} />}
    </>
  )
}
