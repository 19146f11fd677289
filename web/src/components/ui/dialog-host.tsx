import { useEffect, useSyncExternalStore } from 'react'
import { NavigationType, useBlocker } from 'react-router'
import { currentDialog, dropDialogs, subscribeDialogs } from './dialogs'
import { MessageDialog } from './message-dialog'
import { closeTopDialog, isDialogOpen } from './open-dialogs'

/**
 * Renders the messages and questions of pages with data, one after the other. Whoever goes back
 * while any dialog is open closes that, and stays on the page.
 */
export function DialogHost() {
  const dialog = useSyncExternalStore(subscribeDialogs, currentDialog, () => null)
  const blocker = useBlocker(({ historyAction }) => historyAction === NavigationType.Pop && isDialogOpen())
  useEffect(() => dropDialogs, [])
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    blocker.reset()
    closeTopDialog()
  }, [blocker])
  if (!dialog) return null
  const { id, message, answer } = dialog
  return <MessageDialog key={id} seed={`message ${id}`} {...message} onAnswer={answer} />
}
