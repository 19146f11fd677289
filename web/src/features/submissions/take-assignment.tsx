import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Button, lazyDialog, toast } from '@/components/ui'
import { authState } from '@/lib/from-path'
import { useLive } from '@/lib/live-events'
import { useUser } from '@/lib/session'
import { useRowFocus } from '@/lib/use-row-focus'
import { HandedIn } from './handed-in'
import type { TurnAfter } from './submit-dialog'
import { ownPendingQuery } from '@/entities/submission/queries'

const submitDialog = lazyDialog(() => import('./submit-dialog'), { title: () => t`Submit Assignment` })

interface TakeAssignmentProps {
  assignmentId: string
  title: string
  /** The viewer created it. */
  isOwn: boolean
  /** The server takes a submission of the viewer. */
  mayTake: boolean
  dueDate: string
  /** The user's earlier mark for the assignment. */
  result: ReactNode
  /** The badge of the user's own assignment. */
  own: ReactNode
  /** Asks the server which reviews the user owes after a hand-in. */
  turnAfter: () => Promise<TurnAfter>
}

/**
 * Opens the submit dialog; says that it is handed in where one's submission waits for its mark. Visitors sign in
 * first and find the dialog open when they come back.
 */
export function TakeAssignment(props: TakeAssignmentProps) {
  const { assignmentId, title, isOwn: own, mayTake, dueDate, result, own: ownBadge, turnAfter } = props
  const user = useUser()
  const navigate = useNavigate()
  const location = useLocation()
  // The focused button may be replaced by a text, also under a message.
  const area = useRef<HTMLDivElement>(null)
  const { container, onFocus } = useRowFocus<HTMLDivElement>('p', area)
  const { data: waiting } = useQuery({ ...ownPendingQuery(user?.email ?? ''), enabled: user !== null })
  const handedIn = waiting?.find((submission) => submission.assignmentId === assignmentId)
  // After the user has handed in and closed the message, the text about it gets the focus.
  const sent = useRef(false)
  const resumed = authState(location).resume === 'take' && user !== null && !own
  const [open, setOpen] = useState(resumed)

  useEffect(() => {
    // Said once: a reload of the page must not open the dialog again.
    if (resumed) void navigate(location.pathname, { replace: true, state: null, preventScrollReset: true })
  }, [resumed, navigate, location.pathname])

  useLive(({ kind, id }) => {
    if (kind === 'assignment.deleted' && id === assignmentId) toast(t`This assignment was deleted.`, 'error')
  })

  useEffect(() => {
    if (sent.current) focusArea()
  }, [handedIn?._id])

  // A message keeps the focus until it has closed.
  function focusArea() {
    requestAnimationFrame(() => {
      const active = document.activeElement
      const dialog = active?.closest('dialog')
      if (dialog) dialog.addEventListener('close', focusArea, { once: true })
      else if (active === document.body) area.current?.focus()
    })
  }

  const take = (
    <div ref={container} onFocus={onFocus} className="action-bar">
      <div ref={area} tabIndex={-1}>
        {handedIn ? (
          <HandedIn submission={handedIn} />
        ) : (
          <div className="flex items-center justify-center gap-4 max-md:flex-row-reverse md:flex-col md:items-stretch">
            {mayTake && (
              <Button
                className="min-w-0 grow sm:max-md:max-w-96"
                {...submitDialog.opener}
                onClick={() => {
                  if (user) setOpen(true)
                  else void navigate('/auth/login', { state: { from: location.pathname, resume: 'take' } })
                }}
              >
                {t`Take Assignment`}
              </Button>
            )}
            {result}
          </div>
        )}
      </div>
      {open && (
        <submitDialog.Dialog
          assignmentId={assignmentId}
          title={title}
          dueDate={dueDate}
          turnAfter={turnAfter}
          onClose={() => setOpen(false)}
          onDone={() => {
            sent.current = true
            focusArea()
          }}
        />
      )}
    </div>
  )
  return own ? (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 max-md:mt-4">
      {ownBadge}
      <p className="font-semibold">{t`This is your assignment.`}</p>
    </div>
  ) : (
    take
  )
}
