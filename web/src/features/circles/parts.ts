import { t } from '@lingui/core/macro'
import { lazyDialog, lazyView } from '@/components/ui'
import type * as forms from './forms'

type Forms = typeof forms

/** One of the forms of circles. */
const form =
  <Name extends keyof Forms>(name: Name): (() => Promise<{ default: Forms[Name] }>) =>
  async () => ({ default: (await import('./forms'))[name] })

export const inviteDialog = lazyDialog(form('InviteDialog'), { title: () => t`Invite` })
export const linkDialog = lazyDialog(form('LinkDialog'), { title: () => t`Join with a link` })
export const memberDialog = lazyDialog(form('MemberDialog'), { title: () => t`Edit member` })
export const newCircleDialog = lazyDialog(form('NewCircleDialog'), { title: () => t`New circle` })
export const rosterDialog = lazyDialog(form('RosterDialog'), { title: () => t`Upload a roster` })
export const MembersView = lazyView(() => import('./members-tab'), { label: () => t`Loading members` })
export const SettingsView = lazyView(form('SettingsTab'), { label: () => t`Loading the settings` })
