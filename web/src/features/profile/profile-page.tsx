import { Avatar, Email } from '@/components/ui'
import type { SessionUser } from '@/lib/boot'
import { useBrand } from '@/lib/site'
import { useTitle } from '@/lib/use-title'
import { DeleteAccount } from './delete-account'
import { ProfileForm } from './profile-form'
import { ThemeChoice } from './theme-choice'

/** Everything about one's own account, a section each. */
export function ProfilePage({ user }: { user: SessionUser }) {
  useTitle(`Profile | ${useBrand()}`)
  return (
    <div className="page max-w-3xl">
      <div className="flex flex-wrap items-center gap-5">
        <Avatar name={user.displayName} photoURL={user.photoURL} size={80} />
        <div className="min-w-0">
          <h1 tabIndex={-1}>Profile</h1>
          <p className="text-soft">
            <Email address={user.email} />
          </p>
        </div>
      </div>
      <div className="mt-10 grid gap-10">
        <ProfileForm user={user} />
        <ThemeChoice />
        <DeleteAccount email={user.email} />
      </div>
    </div>
  )
}
