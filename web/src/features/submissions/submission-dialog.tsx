import { t } from '@lingui/core/macro'
import { useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { AddressInput, Button, Dialog, DialogActions, Form, TextArea, showAlert } from '@/components/ui'
import { dropDraft } from '@/lib/drafts'
import { explain, isProblem } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { note, optionalDocumentLink } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { NotSent } from './not-sent'
import type { SubmissionInput } from '@/entities/submission/queries'

interface SubmissionDialogProps {
  title: string
  /** The assignment's title. */
  assignmentTitle: string
  /** A note above the form. */
  intro?: ReactNode
  /** The submission to change, if there is one. */
  before?: SubmissionInput
  /** The name of its draft. */
  draft: string
  button: { label: string; busy: string }
  send: (input: SubmissionInput) => Promise<void>
  /** The message after a failure. */
  failed: string
  onClose: () => void
  /** It is sent, and the dialog is closed. */
  onSent: () => void
}

const nothing: SubmissionInput = { docsLink: '', note: '' }
// A missing link has a message of its own.
const schema = z.object({
  docsLink: optionalDocumentLink,
  note,
})

/** Why a submission can neither be changed nor handed in. */
const goneText = (before: SubmissionInput | undefined): string =>
  before ? t`This submission is gone: you withdrew it elsewhere.` : t`This assignment was deleted.`

/** A link to a document, with a short note, to hand in or to change. */
export function SubmissionDialog(props: SubmissionDialogProps) {
  const { title, assignmentTitle, intro, before, draft, button, send, failed, onClose, onSent } = props
  // A draft over older values would bring those back.
  const over = before && JSON.stringify(before)
  const form = useSchemaForm({ schema, values: before ?? nothing, draft, over })
  const { register, handleSubmit, setError, setFocus, getValues, formState } = form
  const { errors, isSubmitting } = formState

  // Nothing is left to change, or to hand in to.
  const [refused, setRefused] = useState('')

  /** Closed first, so that the focus it gives back does not leave the message that follows. */
  function close() {
    dropDraft(draft)
    flushSync(onClose)
  }

  const cancel = refused ? close : onClose

  const submit = handleSubmit(async (input) => {
    if (!input.docsLink) {
      void showAlert({ title: t`Error`, text: t`Google Docs link is required`, error: true }).then(() =>
        setFocus('docsLink'),
      )
      return
    }
    try {
      await send(input)
    } catch (error) {
      if (showFieldErrors(error, ['docsLink', 'note'], setError)) return
      const gone = isProblem(error, 'not-found')
      const detail = gone ? goneText(before) : explain(error)
      if (gone || isProblem(error, 'already-graded')) setRefused(detail)
      void showAlert({ title: t`Error`, text: failed, detail, error: true })
      return
    }
    close()
    onSent()
  })

  return (
    <Dialog title={title} onClose={cancel}>
      <p dir="auto" className="-mt-3 mb-5 line-clamp-2 wrap-anywhere text-soft">
        {assignmentTitle}
      </p>
      {intro}
      <Form onSubmit={submit} className="grid gap-5">
        <AddressInput
          label={t`Google Docs Link`}
          hint={t`Anyone with the link must be able to read it.`}
          placeholder="https://docs.google.com/document/…"
          {...register('docsLink')}
          error={errors.docsLink?.message}
        />
        <TextArea
          label={t`Note`}
          hint={t`Optional: what its grader should know.`}
          {...register('note')}
          error={errors.note?.message}
          dir="auto"
        />
        {refused && (
          <NotSent
            reason={refused}
            failed={before ? t`It was not changed.` : t`It was not handed in.`}
            text={Object.values(getValues()).filter(Boolean).join('\n')}
          />
        )}
        <DialogActions>
          <Button variant="quiet" onClick={cancel}>
            {refused ? t`Close` : t`Cancel`}
          </Button>
          {!refused && (
            <Button type="submit" busy={isSubmitting}>
              {isSubmitting ? button.busy : button.label}
            </Button>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  )
}
