import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Button, Form, Radio, TextArea, failed } from '@/components/ui'
import { dropDraft } from '@/lib/drafts'
import { optionalText } from '@/lib/rules'
import { showFieldErrors } from '@/lib/server-errors'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { replyToReview, type ReceivedReviews } from '@/entities/review/queries'

interface ReplyFormProps {
  submissionId: string
  review: ReceivedReviews['data'][number]
  onClose: () => void
}

const schema = z.object({
  // A radio group has null where nothing is chosen.
  helpful: z
    .nullable(z.string())
    .check(z.refine((choice) => Boolean(choice), { error: () => t`Choose one.` })),
  reply: optionalText(2000),
})

/** Says whether a review helped, with an optional reply to its writer. */
export default function ReplyForm({ submissionId, review, onClose }: ReplyFormProps) {
  const { _id: reviewId, label, helpful, reply = '' } = review
  const saved = { helpful: helpful === undefined ? '' : String(helpful), reply }
  const draft = `reply ${reviewId}`
  const { register, handleSubmit, setError, formState } = useSchemaForm({
    schema,
    values: saved,
    draft,
    over: JSON.stringify(saved),
  })
  const { errors, isSubmitting } = formState
  const { mutateAsync } = useMutation(replyToReview)
  const submit = handleSubmit(async (values) => {
    try {
      await mutateAsync({
        submissionId,
        reviewId,
        helpful: values.helpful === 'true',
        reply: values.reply,
      })
      dropDraft(draft)
      onClose()
    } catch (error) {
      if (showFieldErrors(error, ['helpful', 'reply'], setError)) return
      void failed(error)
    }
  })
  const wrongId = `helpful-${reviewId}-error`
  return (
    <Form onSubmit={submit} className="grid gap-4 border-t border-line pt-4">
      <fieldset aria-describedby={errors.helpful && wrongId} className="flex flex-wrap items-center gap-x-6">
        <legend className="float-start me-6 py-2 text-sm font-semibold">{t`Did review ${label} help you?`}</legend>
        {[
          ['true', t`Yes`],
          ['false', t`No`],
        ].map(([value, word]) => (
          <Radio key={value} value={value} {...register('helpful')}>
            {word}
          </Radio>
        ))}
        {errors.helpful && (
          <p id={wrongId} className="w-full text-sm font-semibold text-red">
            {errors.helpful.message}
          </p>
        )}
      </fieldset>
      <TextArea
        label={t({ context: 'noun', message: 'Reply' })}
        hint={t`Optional. Your reviewer reads it, and never learns who you are: leave your name out.`}
        rows={2}
        {...register('reply')}
        error={errors.reply?.message}
        dir="auto"
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={isSubmitting}>
          {isSubmitting ? t`Sending…` : t`Send`}
        </Button>
        <Button variant="quiet" size="sm" onClick={onClose}>
          {t`Cancel`}
        </Button>
      </div>
    </Form>
  )
}
