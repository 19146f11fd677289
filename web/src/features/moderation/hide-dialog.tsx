import { t } from '@lingui/core/macro'
import { ReasonDialog } from '@/components/ui'

interface HideDialogProps {
  /** The report's. */
  id: string
  hint: string
  send: (reason: string) => Promise<void>
  onClose: () => void
  onSent: () => void
}

/** Asks why something that was reported is hidden. */
export default function HideDialog({ id, ...rest }: HideDialogProps) {
  return (
    <ReasonDialog
      title={t`Hide`}
      draft={`hide ${id}`}
      action={{ label: t`Hide`, busy: t`Hiding…` }}
      {...rest}
    />
  )
}
