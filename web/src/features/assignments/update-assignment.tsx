import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { MessageDialog, showAlert, showConfirm } from '@/components/ui'
import { isProblem } from '@/lib/problem'
import { useUser } from '@/lib/session'
import { updateAssignment } from './mutations'
import type { Assignment, AssignmentInput } from './queries'
import { AssignmentForm } from './assignment-form'

const notYours = { title: 'Oops...', text: 'You not create this assignment', error: true }

/** The update form, for the assignment's creator alone. */
export function UpdateAssignment({ assignment }: { assignment: Assignment }) {
  const navigate = useNavigate()
  const user = useUser()
  const { mutateAsync } = useMutation(updateAssignment)
  const toList = () => void navigate('/assignments', { replace: true })

  async function send(input: AssignmentInput, over: string) {
    const said = await mutateAsync({ id: assignment._id, input, over }).then(
      () => ({ title: 'Updated' }),
      (error: unknown) => {
        if (isProblem(error, 'not-your-assignment')) return notYours
        throw error
      },
    )
    void showAlert(said).then(toList)
  }

  if (user?.email !== assignment.creatorEmail) {
    return <MessageDialog title={notYours.title} text={notYours.text} role="alertdialog" onAnswer={toList} />
  }
  return (
    <div className="page">
      <h1 tabIndex={-1}>Update Assignment</h1>
      <AssignmentForm
        key={assignment._id}
        assignment={assignment}
        action="Update Assignment"
        busyAction="Updating…"
        confirm={() => showConfirm({ title: 'Are you sure?', text: 'You Update this assignment' })}
        send={send}
      />
    </div>
  )
}
