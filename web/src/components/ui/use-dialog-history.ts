import { useEffect } from 'react'
import { NavigationType, useBlocker, useLocation } from 'react-router'
import { arriveAtPage, startNavigation, leaveDialogs } from './dialog-history'

/** Lets a navigation start from the page's own entry of the history, and not from that of a dialog. */
export function useDialogHistory(): void {
  // A link to a place on the page gives its entry no key of its own.
  const location = useLocation()
  const blocker = useBlocker(({ historyAction }) => historyAction !== NavigationType.Pop && startNavigation())
  useEffect(() => {
    if (blocker.state === 'blocked') leaveDialogs(blocker.proceed)
  }, [blocker])
  useEffect(arriveAtPage, [location])
}
