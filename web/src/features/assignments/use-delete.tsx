import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { showAlert, showConfirm, toast } from '@/components/ui'
import { explain, isProblem } from '@/lib/problem'
import { isOwn } from '@/entities/assignment/own'
import { useUser } from '@/lib/session'
import { stripBidiControls } from '@/lib/text'
import { LostByDeleting } from './lost-by-deleting'
import { deleteAssignment } from '@/entities/assignment/mutations'
import type { Assignment } from '@/entities/assignment/queries'

const notYours = () => ({ title: t`Unauthorized`, text: t`This is not your assignment.`, error: true })

/**
 * Deletes from the list: the card goes at once and comes back if the server refuses. Visitors are sent to Login, and
 * users other than the creator get a message. Reports whether the assignment is gone; `onSent` is called once the
 * deletion is sent.
 */
export function useDelete(): (assignment: Assignment, onSent?: () => void) => Promise<boolean> {
  const { mutateAsync } = useMutation(deleteAssignment)
  const user = useUser()
  const navigate = useNavigate()
  const location = useLocation()

  return async (assignment, onSent) => {
    const { _id: id, title } = assignment
    if (!user) {
      await navigate('/auth/login', { state: { from: location.pathname + location.search } })
      return false
    }
    if (!isOwn(assignment, user)) {
      await showAlert(notYours())
      return false
    }
    const sure = await showConfirm({
      title: t`Are you sure?`,
      text: t`You won't be able to revert this!`,
      detail: (
        <>
          <p>{t`“${{ title: stripBidiControls(title) }}”`}</p>
          <LostByDeleting id={id} />
        </>
      ),
      confirm: t`Yes, delete it!`,
      danger: true,
    })
    if (!sure) return false
    try {
      const deleted = mutateAsync(id)
      onSent?.()
      await deleted
    } catch (error) {
      const refused = isProblem(error, 'not-your-assignment')
      void showAlert(
        refused
          ? notYours()
          : { title: t`Error`, text: t`Failed to delete assignment.`, detail: explain(error), error: true },
      )
      return false
    }
    toast(t`Deleted successfully`)
    return true
  }
}
