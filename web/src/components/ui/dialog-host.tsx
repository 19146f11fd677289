import { useSyncExternalStore } from 'react'
import { currentDialog, subscribeDialogs } from './dialogs'
import { MessageDialog } from './message-dialog'

/** Renders the messages and questions that are shown anywhere in the app, one after the other. */
export function DialogHost() {
  const dialog = useSyncExternalStore(subscribeDialogs, currentDialog, () => null)
  return dialog && <MessageDialog key={dialog.id} {...dialog.message} onAnswer={dialog.answer} />
}
