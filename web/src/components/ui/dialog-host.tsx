import { useEffect, useSyncExternalStore } from 'react'
import { currentDialog, dropDialogs, subscribeDialogs } from './dialogs'
import { MessageDialog } from './message-dialog'

/** Renders the messages and questions of pages with data, one after the other. */
export function DialogHost() {
  const dialog = useSyncExternalStore(subscribeDialogs, currentDialog, () => null)
  useEffect(() => dropDialogs, [])
  if (!dialog) return null
  const { id, message, answer } = dialog
  return <MessageDialog key={id} seed={`message ${id}`} {...message} onAnswer={answer} />
}
