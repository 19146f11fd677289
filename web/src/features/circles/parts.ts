import { lazyDialog, lazyView } from '@/components/ui'
import type * as forms from './forms'

type Forms = typeof forms

/** One of the forms of circles. */
const form =
  <Name extends keyof Forms>(name: Name): (() => Promise<{ default: Forms[Name] }>) =>
  async () => ({ default: (await import('./forms'))[name] })

export const inviteDialog = lazyDialog(form('InviteDialog'), { title: () => 'Invite' })
export const linkDialog = lazyDialog(form('LinkDialog'), { title: () => 'Join with a link' })
export const memberDialog = lazyDialog(form('MemberDialog'), { title: () => 'Edit member' })
export const newCircleDialog = lazyDialog(form('NewCircleDialog'), { title: () => 'New circle' })
export const rosterDialog = lazyDialog(form('RosterDialog'), { title: () => 'Upload a roster' })
export const MembersView = lazyView(() => import('./members-tab'), { label: () => 'Loading members' })
export const SettingsView = lazyView(form('SettingsTab'), { label: () => 'Loading the settings' })
