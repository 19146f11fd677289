import { NotificationSettings } from '@/features/notifications/notification-settings'
import { ProfilePage } from '@/features/profile/profile-page'
import { useUser } from '@/lib/session'

export function Component() {
  const user = useUser()
  return user && <ProfilePage user={user} notifications={<NotificationSettings />} />
}
