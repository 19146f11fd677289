import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Button, lazyDialog } from '@/components/ui'
import { authState } from '@/lib/from-path'
import { useUser } from '@/lib/session'
import { If, same } from '@/lib/template'
import { useHydrated } from '@/lib/use-hydrated'

const submitDialog = lazyDialog('Submit Assignment', () => import('./submit-dialog'))

interface TakeAssignmentProps {
  assignmentId: string
  creatorEmail: string
}

/** Opens the submit dialog. Visitors sign in first and find it open when they come back. */
export function TakeAssignment({ assignmentId, creatorEmail }: TakeAssignmentProps) {
  const user = useUser()
  const navigate = useNavigate()
  const location = useLocation()
  const own = user !== null && same(user.email, creatorEmail)
  const resumed = authState(location.state).resume === 'take' && user !== null && !own
  const [open, setOpen] = useState(resumed)
  // The first HTML has no dialog, whatever the tab remembers.
  const hydrated = useHydrated()

  useEffect(() => {
    // Said once: a reload of the page must not open the dialog again.
    if (resumed) void navigate(location.pathname, { replace: true, state: null, preventScrollReset: true })
  }, [resumed, navigate, location.pathname])

  const take = (
    <>
      <Button
        className="w-full"
        onPointerEnter={user ? submitDialog.prefetch : undefined}
        onClick={() => {
          if (user) setOpen(true)
          else void navigate('/auth/login', { state: { from: location.pathname, resume: 'take' } })
        }}
      >
        Take Assignment
      </Button>
      {open && hydrated && <submitDialog.Dialog assignmentId={assignmentId} onClose={() => setOpen(false)} />}
    </>
  )
  return (
    <If value={own} otherwise={take}>
      <p className="font-semibold">This is your assignment.</p>
    </If>
  )
}
