import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { FullScreenSpinner, alertBox, confirmBox } from '@/components/ui'
import { isProblem } from '@/lib/problem'
import { useUser } from '@/lib/session'
import { useBrand } from '@/lib/site'
import { useTitle } from '@/lib/use-title'
import { updateAssignment, type Assignment } from './api'
import { AssignmentFormView } from './assignment-form'

const notYours = { title: 'Oops...', text: 'You not create this assignment', error: true }

/** The update form, for the assignment's creator alone. */
export function UpdateAssignment({ assignment }: { assignment: Assignment }) {
  useTitle(`Update Assignment | ${useBrand()}`)
  const navigate = useNavigate()
  const allowed = useUser()?.email === assignment.creatorEmail

  useEffect(() => {
    if (allowed) return
    let here = true
    void alertBox(notYours).then(() => here && navigate('/assignments'))
    return () => {
      here = false
    }
  }, [allowed, navigate])

  if (!allowed) return <FullScreenSpinner />
  return (
    <div className="page max-w-3xl">
      <h1 tabIndex={-1}>Update Assignment</h1>
      <AssignmentFormView
        key={assignment._id}
        assignment={assignment}
        action="Update Assignment"
        busyAction="Updating…"
        send={async (input) => {
          const sure = await confirmBox({ title: 'Are you sure?', text: 'You Update this assignment' })
          if (!sure) return false
          try {
            await updateAssignment(assignment._id, input)
          } catch (error) {
            if (!isProblem(error, 'not-your-assignment')) throw error
            await alertBox(notYours)
            await navigate('/assignments')
            return true
          }
          await alertBox({ title: 'Updated' })
          await navigate('/assignments')
          return true
        }}
      />
    </div>
  )
}
