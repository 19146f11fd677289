import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { PageHead, lazyView, showAlert, showConfirm } from '@/components/ui'
import { isProblem } from '@/lib/problem'
import { isOwn } from '@/entities/assignment/own'
import { useUser } from '@/lib/session'
import { updateAssignment } from '@/entities/assignment/mutations'
import type { Assignment, AssignmentInput } from '@/entities/assignment/queries'
import { AssignmentForm } from './assignment-form'

const MessageDialog = lazyView(
  async () => ({ default: (await import('@/components/ui/message-dialog')).MessageDialog }),
  { label: () => t`Loading` },
)
const notYours = () => ({ title: t`Oops...`, text: t`You not create this assignment`, error: true })

/** The update form, for the assignment's creator alone. */
export function UpdateAssignment({ assignment }: { assignment: Assignment }) {
  const navigate = useNavigate()
  const user = useUser()
  const { mutateAsync } = useMutation(updateAssignment)
  const toList = () => void navigate('/assignments', { replace: true })

  async function send(input: AssignmentInput, over: string) {
    const { _id: id } = assignment
    const updated = {
      title: t`Updated`,
      text: t`Everyone sees the new version now.`,
      next: { label: t`See it`, to: `/assignment/${id}` },
    }
    const said = await mutateAsync({ id, input, over }).then(
      () => updated,
      (error: unknown) => {
        if (isProblem(error, 'not-your-assignment')) return notYours()
        throw error
      },
    )
    void showAlert(said).then((elsewhere) => !elsewhere && toList())
  }

  const own = isOwn(assignment, user)
  return (
    <div className="page">
      <PageHead title={t`Update Assignment`} art="update">
        {own
          ? t`Your friends see the change at once. Work that was handed in before keeps its title and its marks.`
          : t`Only ${{ creator: assignment.creatorName }}, who created this assignment, can update it.`}
      </PageHead>
      {own ? (
        <AssignmentForm
          key={assignment._id}
          assignment={assignment}
          action={t`Update Assignment`}
          busyAction={t`Updating…`}
          confirm={() => showConfirm({ title: t`Are you sure?`, text: t`You Update this assignment` })}
          send={send}
        />
      ) : (
        <MessageDialog title={notYours().title} text={notYours().text} role="alertdialog" onAnswer={toList} />
      )}
    </div>
  )
}
