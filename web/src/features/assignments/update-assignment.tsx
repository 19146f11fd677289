import { useNavigate } from 'react-router'
import { MessageBox, alertBox, confirmBox } from '@/components/ui'
import { isProblem } from '@/lib/problem'
import { useUser } from '@/lib/session'
import { useBrand } from '@/lib/site'
import { useTitle } from '@/lib/use-title'
import { updateAssignment, type Assignment, type AssignmentInput } from './api'
import { AssignmentFormView } from './assignment-form'

const notYours = { title: 'Oops...', text: 'You not create this assignment', error: true }

/** The update form, for the assignment's creator alone. */
export function UpdateAssignment({ assignment }: { assignment: Assignment }) {
  useTitle(`Update Assignment | ${useBrand()}`)
  const navigate = useNavigate()
  const user = useUser()
  const toList = () => void navigate('/assignments', { replace: true })

  async function send(input: AssignmentInput) {
    const box = await updateAssignment(assignment._id, input).then(
      () => ({ title: 'Updated' }),
      (error: unknown) => {
        if (isProblem(error, 'not-your-assignment')) return notYours
        throw error
      },
    )
    void alertBox(box).then(toList)
  }

  if (user?.email !== assignment.creatorEmail) {
    return <MessageBox title={notYours.title} text={notYours.text} role="alertdialog" onAnswer={toList} />
  }
  return (
    <div className="page max-w-3xl">
      <h1 tabIndex={-1}>Update Assignment</h1>
      <AssignmentFormView
        key={assignment._id}
        assignment={assignment}
        action="Update Assignment"
        busyAction="Updating…"
        confirm={() => confirmBox({ title: 'Are you sure?', text: 'You Update this assignment' })}
        send={send}
      />
    </div>
  )
}
