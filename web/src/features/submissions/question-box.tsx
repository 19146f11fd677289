import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button, Clamped, Form, RenderedText, TextArea, failed } from '@/components/ui'
import { dropDraft } from '@/lib/drafts'
import { requiredText } from '@/lib/rules'
import { showFieldErrors } from '@/lib/server-errors'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { askSubmitter, questionQuery } from '@/entities/submission/craft-queries'

const schema = z.object({ text: requiredText(5000, () => t`Write your question.`) })

/** The reviewer's one question to the submitter, and the answer. */
export function QuestionBox({ submissionId }: { submissionId: string }) {
  const { data } = useQuery(questionQuery(submissionId))
  const [asking, setAsking] = useState(false)
  if (!data) return null
  if (data.question) return <Asked {...data.question} />
  if (!data.may.ask) return null
  return (
    <section aria-label={t`A question to the submitter`} className="border-t border-line pt-5">
      {asking ? (
        <QuestionForm submissionId={submissionId} onClose={() => setAsking(false)} />
      ) : (
        <Button variant="quiet" size="sm" onClick={() => setAsking(true)}>
          {t`Ask a question`}
        </Button>
      )}
    </section>
  )
}

interface Text {
  text: string
  html?: string
}

export const Words = ({ text, html }: Text) => (html ? <RenderedText html={html} /> : text)

function Asked({ answer, ...question }: Text & { answer?: Text }) {
  return (
    <section aria-label={t`A question to the submitter`} className="grid gap-3 border-t border-line pt-5">
      <h3>{t`Your question`}</h3>
      <Clamped>
        <Words {...question} />
      </Clamped>
      <div role="status">
        {answer ? (
          <div className="border-s-4 border-green ps-4">
            <p className="text-sm font-semibold">{t`The submitter’s answer`}</p>
            <Clamped>
              <Words {...answer} />
            </Clamped>
          </div>
        ) : (
          <p className="text-sm text-soft">
            {t`No answer yet. You will be notified when it comes. You need not wait for it.`}
          </p>
        )}
      </div>
    </section>
  )
}

function QuestionForm({ submissionId: id, onClose }: { submissionId: string; onClose: () => void }) {
  const draft = `question ${id}`
  const { register, handleSubmit, setError, setFocus, formState } = useSchemaForm({
    schema,
    values: { text: '' },
    draft,
  })
  const { mutateAsync } = useMutation(askSubmitter)
  useEffect(() => setFocus('text'), [setFocus])
  const submit = handleSubmit(async ({ text }) => {
    try {
      await mutateAsync({ id, text })
      dropDraft(draft)
    } catch (error) {
      if (showFieldErrors(error, ['text'], setError)) return
      void failed(error)
    }
  })
  return (
    <Form onSubmit={submit} className="grid gap-3">
      <TextArea
        markdown
        label={t`Your question`}
        hint={t`You can ask once, and get one answer. Neither of you learns who the other is: leave names out. You get 24 more hours.`}
        rows={2}
        {...register('text')}
        error={formState.errors.text?.message}
        dir="auto"
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={formState.isSubmitting}>
          {formState.isSubmitting ? t`Sending…` : t`Send question`}
        </Button>
        <Button variant="quiet" size="sm" onClick={onClose}>
          {t`Not now`}
        </Button>
      </div>
    </Form>
  )
}
