import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { ReasonDialog, toast } from '@/components/ui'
import { appeal } from '@/entities/review/queries'

interface AppealDialogProps {
  submissionId: string
  onClose: () => void
  /** It is under appeal now. */
  onAppealed?: () => void
}

/** Requests two more reviews, with a reason. */
export default function AppealDialog({ submissionId: id, onClose, onAppealed }: AppealDialogProps) {
  const { mutateAsync } = useMutation(appeal)
  const creatorDecides = useRef(false)
  return (
    <ReasonDialog
      title={t`Appeal`}
      draft={`appeal ${id}`}
      hint={t`Say what was overlooked. You can appeal once; the new reviewers do not see this.`}
      send={async (reason) => {
        creatorDecides.current = await mutateAsync({ id, reason })
        onAppealed?.()
      }}
      onClose={onClose}
      onSent={() =>
        toast(
          creatorDecides.current
            ? t`Too few members are left to look at it, so its creator decides. Your mark stands until then.`
            : t`Two new reviewers will look at it. Your mark stands until then.`,
        )
      }
    />
  )
}
