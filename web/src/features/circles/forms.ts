// The forms of circles, in one file that is fetched when one of them is first used: most visits use none.
export { InviteDialog } from './invite-dialog'
export { LinkDialog } from './link-dialog'
export { MemberDialog } from './member-dialog'
export { NewCircleDialog } from './new-circle-dialog'
export { RosterDialog } from './roster-dialog'
export { SettingsTab } from './settings-tab'
