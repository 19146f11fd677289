import { NotificationsPage } from '@/features/notifications/notifications-page'
import { usePage } from './use-page'

export function Component() {
  const [page, setPage] = usePage()
  return <NotificationsPage page={page} onPage={setPage} />
}
