import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog, DialogForm, TextArea, toast } from '@/components/ui'
import { requiredText } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { answerReviewer, type OwnDetail } from '@/entities/submission/craft-queries'
import { OwnDetailDialog } from './own-detail'
import { Words } from './question-box'

interface AnswerDialogProps {
  submissionId: string
  onClose: () => void
}

const title = () => t`Answer a Reviewer`
const schema = z.object({ text: requiredText(5000, () => t`Write your answer.`) })

/** Answers a question that a reviewer asks about the user's submission. */
export default function AnswerDialog({ submissionId, onClose }: AnswerDialogProps) {
  return (
    <OwnDetailDialog title={title()} submissionId={submissionId} onClose={onClose}>
      {(detail) => <Answer detail={detail} onClose={onClose} />}
    </OwnDetailDialog>
  )
}

function Answer({ detail, onClose }: { detail: OwnDetail; onClose: () => void }) {
  // The question that the answer is for stays, whatever happens to it meanwhile.
  const [question] = useState(() => detail.questions?.find(({ answer }) => !answer))
  if (question) return <AnswerForm submissionId={detail._id} question={question} onClose={onClose} />
  return (
    <Dialog title={title()} onClose={onClose}>
      <p>{t`The question no longer exists.`}</p>
    </Dialog>
  )
}

interface AnswerFormProps {
  submissionId: string
  question: NonNullable<OwnDetail['questions']>[number]
  onClose: () => void
}

function AnswerForm({ submissionId, question, onClose }: AnswerFormProps) {
  const draft = `answer ${question._id}`
  const form = useSchemaForm({ schema, values: { text: '' }, draft })
  const { mutateAsync } = useMutation(answerReviewer)
  return (
    <DialogForm
      title={title()}
      form={form}
      draft={draft}
      fields={['text']}
      send={({ text }) => mutateAsync({ id: submissionId, questionId: question._id, text })}
      onClose={onClose}
      onSent={() => toast(t`Your answer is with the reviewer.`)}
      action={{ label: t`Send answer`, busy: t`Sending…` }}
    >
      <figure className="grid gap-2 border-s-4 border-line ps-4">
        <figcaption className="text-sm text-soft">{t`A reviewer of your work asks`}</figcaption>
        <blockquote className="wrap-anywhere">
          <Words {...question} />
        </blockquote>
      </figure>
      <TextArea
        markdown
        label={t`Your answer`}
        hint={t`You can answer once. The reviewer will not learn who you are: leave your name out. Markdown works.`}
        {...form.register('text')}
        error={form.formState.errors.text?.message}
        dir="auto"
      />
    </DialogForm>
  )
}
