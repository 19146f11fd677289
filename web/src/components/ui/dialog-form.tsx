import { t } from '@lingui/core/macro'
import { useEffect, useRef, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { dropDraft } from '@/lib/drafts'
import { explain, isProblem } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { Button } from './button'
import { Form } from './form'
import { Dialog, DialogActions } from './dialog'
import { showAlert } from './dialogs'

interface DialogFormProps<Values extends FieldValues> {
  title: string
  form: UseFormReturn<Values>
  /** Its draft, dropped once it is sent. */
  draft: string
  /** The fields under which the server's refusal of them is shown. */
  fields: readonly Path<Values>[]
  /** Sends it; throws what the server refused. */
  send: (values: Values) => Promise<void>
  onClose: () => void
  /** It is sent, and the dialog is closed. */
  onSent: (values: Values) => void
  /** The submit button's label, and its label while the form is being sent. */
  action?: { label: string; busy: string }
  children: ReactNode
}

const submitting = () => ({ label: t`Submit`, busy: t`Submitting...` })

/** A form in a dialog. What the server refuses stays as it was typed. */
export function DialogForm<Values extends FieldValues>({
  title,
  form,
  draft,
  fields,
  send,
  onClose,
  onSent,
  action = submitting(),
  children,
}: DialogFormProps<Values>) {
  const { isSubmitting } = form.formState
  // It may be closed before the answer is there.
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  async function submit(values: Values) {
    try {
      await send(values)
    } catch (error) {
      if (isOpen.current && showFieldErrors(error, fields, form.setError)) return
      const field = isOpen.current || !isProblem(error) ? undefined : error.fields[0]?.message
      void showAlert({ title: t`Error`, text: field ?? explain(error), error: true })
      return
    }
    dropDraft(draft)
    // Closed first: it returns the focus, which the message that follows then takes.
    if (isOpen.current) flushSync(onClose)
    onSent(values)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={(event) => form.handleSubmit(submit)(event)} className="grid gap-5">
        {children}
        <DialogActions>
          <Button variant="quiet" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" busy={isSubmitting}>
            {isSubmitting ? action.busy : action.label}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
