import { Avatar, Email } from '@/components/ui'
import type { SessionUser } from '@/lib/boot'
import { DeleteAccount } from './delete-account'
import { EmailStatus } from './email-status'
import { ExportData } from './export-data'
import type { ReactNode } from 'react'
import { ProfileForm } from './profile-form'
import { Section } from './section'
import { Sessions } from './sessions'
import { ThemeChoice } from './theme-choice'
import { SignInMethodsSection } from './sign-in-methods'

/** Everything about the user's account, in sections. */
export function ProfilePage({ user, notifications }: { user: SessionUser; notifications: ReactNode }) {
  return (
    <div className="page">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <Avatar name={user.displayName} photoURL={user.photoURL} size={96} />
        <div className="min-w-0 flex-1 basis-64">
          <h1 tabIndex={-1}>Profile</h1>
          <p className="mt-1">
            <bdi className="font-semibold">{user.displayName}</bdi>{' '}
            <span className="text-soft">
              · <Email address={user.email} />
            </span>
          </p>
          <EmailStatus />
        </div>
      </div>
      <div className="mt-10 grid gap-10">
        <ProfileForm user={user} />
        <SignInMethodsSection />
        <Section
          id="notifications"
          title="Notifications"
          about="What you are told, where and when; reminders go by your clock."
        >
          {notifications}
        </Section>
        <Sessions />
        <ThemeChoice />
        <ExportData />
        <DeleteAccount email={user.email} />
      </div>
    </div>
  )
}
