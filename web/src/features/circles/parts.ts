import { lazyDialog, lazyView } from '@/components/ui'
import type * as forms from './forms'

type Forms = typeof forms

/** One of the forms of circles. */
const form =
  <Name extends keyof Forms>(name: Name): (() => Promise<{ default: Forms[Name] }>) =>
  async () => ({ default: (await import('./forms'))[name] })

export const inviteDialog = lazyDialog('Invite', form('InviteDialog'))
export const linkDialog = lazyDialog('Join with a link', form('LinkDialog'))
export const memberDialog = lazyDialog('Edit member', form('MemberDialog'))
export const newCircleDialog = lazyDialog('New circle', form('NewCircleDialog'))
export const rosterDialog = lazyDialog('Upload a roster', form('RosterDialog'))
export const SettingsView = lazyView('Loading the settings', form('SettingsTab'))
