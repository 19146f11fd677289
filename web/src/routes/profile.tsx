import { lazyView } from '@/components/ui'
import { ProfilePage } from '@/features/profile/profile-page'
import { useUser } from '@/lib/session'

const NotificationSettings = lazyView(
  'Loading the settings',
  () => import('@/features/notifications/notification-settings'),
)

export function Component() {
  const user = useUser()
  return user && <ProfilePage user={user} notifications={<NotificationSettings />} />
}
