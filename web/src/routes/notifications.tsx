import { NotificationsPage } from '@/features/notifications/notifications-page'
import { useFilter } from '@/lib/use-page'

export function Component() {
  const [show, setShow] = useFilter('show')
  return <NotificationsPage unread={show === 'unread'} onShow={setShow} />
}
