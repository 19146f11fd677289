import { FullScreenSpinner, lazyDialog } from '@/components/ui'
import { MySubmissions } from '@/features/submissions/my-submissions'
import { useUser } from '@/lib/session'
import { ownStatusOf } from '@/entities/submission/queries'
import { useFilter } from '@/lib/use-page'

const appealDialog = lazyDialog(() => import('@/features/reviews/appeal-dialog'), { title: () => 'Appeal' })

export function Component() {
  const user = useUser()
  const [status, setStatus] = useFilter('status')
  if (!user) return <FullScreenSpinner />
  return (
    <MySubmissions
      email={user.email}
      status={ownStatusOf(status)}
      onStatus={setStatus}
      appealForm={(submissionId, onClose, onAppealed) => (
        <appealDialog.Dialog submissionId={submissionId} onClose={onClose} onAppealed={onAppealed} />
      )}
    />
  )
}
