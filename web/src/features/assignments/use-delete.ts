import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { alertBox, confirmBox, toast } from '@/components/ui'
import { explain, isProblem } from '@/lib/problem'
import { useUser } from '@/lib/session'
import { deleteAssignment, forgetAssignment, type Assignment } from './api'

const notYours = { title: 'Unauthorized', text: 'This is not your assignment.', error: true }

/**
 * Deleting from the list: the card goes at once and comes back if the server refuses. Visitors are sent to
 * sign in, and people who did not create it are told so.
 */
export function useDelete(): {
  hidden: ReadonlySet<string>
  remove: (assignment: Assignment) => Promise<boolean>
} {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const user = useUser()
  const navigate = useNavigate()
  const location = useLocation()

  const hide = (id: string) => setHidden((ids) => new Set(ids).add(id))
  const show = (id: string) => setHidden((ids) => new Set([...ids].filter((other) => other !== id)))

  async function remove({ _id: id, creatorEmail }: Assignment): Promise<boolean> {
    if (!user) {
      await navigate('/auth/login', { state: { from: location.pathname + location.search } })
      return false
    }
    if (user.email !== creatorEmail) {
      await alertBox(notYours)
      return false
    }
    const sure = await confirmBox({
      title: 'Are you sure?',
      text: "You won't be able to revert this!",
      confirm: 'Yes, delete it!',
      danger: true,
    })
    if (!sure) return false
    hide(id)
    try {
      await deleteAssignment(id)
    } catch (error) {
      if (isProblem(error, 'not-found')) {
        forgetAssignment(id)
      } else {
        show(id)
        const refused = isProblem(error, 'not-your-assignment')
        void alertBox(
          refused
            ? notYours
            : { title: 'Error', text: 'Failed to delete assignment.', detail: explain(error), error: true },
        )
        return false
      }
    }
    void toast('Deleted successfully')
    return true
  }

  return { hidden, remove }
}
