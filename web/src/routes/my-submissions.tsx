import { t } from '@lingui/core/macro'
import { FullScreenSpinner, lazyDialog } from '@/components/ui'
import { MySubmissions } from '@/features/submissions/my-submissions'
import { useUser } from '@/lib/session'

const appealDialog = lazyDialog(() => import('@/features/reviews/appeal-dialog'), { title: () => t`Appeal` })

export function Component() {
  const user = useUser()
  if (!user) return <FullScreenSpinner />
  return (
    <MySubmissions
      email={user.email}
      appealForm={(submissionId, onClose, onAppealed) => (
        <appealDialog.Dialog submissionId={submissionId} onClose={onClose} onAppealed={onAppealed} />
      )}
    />
  )
}
