import { NotificationsPage } from '@/features/notifications/notifications-page'
import { useFilter, usePage } from './use-page'

export function Component() {
  const [page, setPage] = usePage()
  const [show, setShow] = useFilter('show')
  return <NotificationsPage page={page} onPage={setPage} unread={show === 'unread'} onShow={setShow} />
}
