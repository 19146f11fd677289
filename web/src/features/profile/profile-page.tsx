import { t } from '@lingui/core/macro'
import { Avatar, Email } from '@/components/ui'
import type { SessionUser } from '@/lib/boot'
import { ChangeEmail } from './change-email'
import { DeleteAccount } from './delete-account'
import { EmailStatus } from './email-status'
import { ExportData } from './export-data'
import type { ReactNode } from 'react'
import { ProfileForm } from './profile-form'
import { Section } from './section'
import { SettingsNav } from './settings-nav'
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
          <h1 tabIndex={-1}>{t`Profile`}</h1>
          <p className="mt-1">
            <bdi className="font-semibold">{user.displayName}</bdi>{' '}
            <span className="text-soft">
              · <Email address={user.email} />
            </span>
          </p>
          <div className="flex flex-wrap items-center gap-x-6">
            <EmailStatus />
            <ChangeEmail />
          </div>
        </div>
      </div>
      <div className="mt-6 grid gap-x-12 gap-y-8 lg:mt-10 lg:grid-cols-[12rem_minmax(0,1fr)]">
        <SettingsNav />
        <div className="grid min-w-0 gap-6">
          <ProfileForm user={user} />
          <SignInMethodsSection />
          <Section
            id="notifications"
            title={t`Notifications`}
            about={t`What you are notified of, where and when. Reminders follow your time zone.`}
          >
            {notifications}
          </Section>
          <Sessions />
          <div className="grid gap-6 md:grid-cols-2 xl:grid-cols-3">
            <ThemeChoice />
            <ExportData />
            <DeleteAccount email={user.email} />
          </div>
        </div>
      </div>
    </div>
  )
}
