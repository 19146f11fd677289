import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, type Path } from 'react-hook-form'
import { Button, Select, TextArea, TextInput, showAlert } from '@/components/ui'
import { cx } from '@/lib/cx'
import { explain } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { useDraft } from '@/lib/use-draft'
import { useHydrated } from '@/lib/use-hydrated'
import { dropDraft, readDraft } from '@/lib/drafts'
import type { Assignment, AssignmentInput } from './queries'
import { DueDateField } from './due-date-field'
import { assignmentSchema, valuesOf, inputOf, isPastDay, type AssignmentFormValues } from './form-schema'

interface AssignmentFormProps {
  /** The assignment to change; none for a new one. */
  assignment?: Assignment
  action: string
  busyAction: string
  /** Asked before it is sent. */
  confirm?: () => Promise<boolean>
  /** Sends it and goes on from there; throws what the server refused, and the form stays. */
  send: (input: AssignmentInput) => Promise<void>
}

const fields: readonly Path<AssignmentFormValues>[] = [
  'title',
  'description',
  'marks',
  'thumbnail',
  'level',
  'dueDate',
]

/** The one form behind Create and Update. What is typed stays until the server has taken it. */
export function AssignmentForm({ assignment, action, busyAction, confirm, send }: AssignmentFormProps) {
  const draft = assignment ? `update ${assignment._id}` : 'create'
  const over = assignment?.updatedAt
  const form = useForm<AssignmentFormValues>({
    resolver: zodResolver(assignmentSchema),
    defaultValues: {
      // A new one has no other defaults: what a quick typist filled in before the script came stays.
      ...(assignment ? valuesOf(assignment) : { dueDate: '' }),
      ...readDraft<AssignmentFormValues>(draft, over),
    },
  })
  useDraft(draft, form, { over })
  const { register, formState, setError, handleSubmit } = form
  const { errors } = formState
  const [busy, setBusy] = useState(false)
  const hydrated = useHydrated()

  const submit = handleSubmit(async (values) => {
    if (isPastDay(values.dueDate, assignment)) {
      setError('dueDate', { message: 'Today or a later day.' }, { shouldFocus: true })
      return
    }
    if (confirm && !(await confirm())) return
    setBusy(true)
    try {
      await send(inputOf(values, assignment))
      dropDraft(draft)
    } catch (error) {
      if (showFieldErrors(error, fields, setError)) return
      void showAlert({ title: 'Error', text: explain(error), error: true })
    } finally {
      setBusy(false)
    }
  })

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="mt-8 grid gap-6">
      <TextInput label="Title" {...register('title')} error={errors.title?.message} dir="auto" />
      <TextArea
        label="Description"
        hint="What to do, and what to hand in."
        rows={6}
        {...register('description')}
        error={errors.description?.message}
        dir="auto"
      />
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <TextInput
          label="Marks"
          hint="The most one can get, up to 1,000."
          type="number"
          inputMode="numeric"
          min={1}
          max={1000}
          step={1}
          {...register('marks')}
          error={errors.marks?.message}
        />
        <Select label="Level" hint="How hard it is." {...register('level')} error={errors.level?.message}>
          <option value="easy">Easy</option>
          <option value="medium">Medium</option>
          <option value="hard">Hard</option>
        </Select>
        <TextInput
          label="Thumbnail Image URL"
          hint="A picture for its card."
          type="url"
          placeholder="https://"
          {...register('thumbnail')}
          error={errors.thumbnail?.message}
        />
        <DueDateField control={form.control} />
      </div>
      {/* Off, without looking so, until the script is there: the browser would put the form into the address. */}
      <Button
        type="submit"
        busy={busy}
        disabled={!hydrated}
        className={cx('justify-self-start', !hydrated && 'disabled:opacity-100')}
      >
        {busy ? busyAction : action}
      </Button>
    </form>
  )
}
