import { t } from '@lingui/core/macro'
import { lazyView } from '@/components/ui'
import { ProfilePage } from '@/features/profile/profile-page'
import { useUser } from '@/lib/session'

const NotificationSettings = lazyView(() => import('@/features/notifications/notification-settings'), {
  label: () => t`Loading the settings`,
})

export function Component() {
  const user = useUser()
  return user && <ProfilePage user={user} notifications={<NotificationSettings />} />
}
