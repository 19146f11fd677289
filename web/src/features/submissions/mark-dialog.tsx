import { useMutation } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useWatch } from 'react-hook-form'
import { Button, Dialog, DialogActions, Report, TextArea, showAlert } from '@/components/ui'
import { dropDraft } from '@/lib/drafts'
import { useLive } from '@/lib/live-events'
import { explain, isProblem } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { optionalText, wholeNumber } from '@/lib/rules'
import { stripBidiControls } from '@/lib/text'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { MarkField } from './mark-field'
import { gradeSubmission } from './mutations'
import type { Exemplar, PendingSubmission, ReviewTask, Rubric } from './queries'
import { Reserved } from './reserved'
import { RubricFields, sumOf } from './rubric-fields'
import { WorkToGrade } from './work-to-grade'

export interface MarkForm {
  marks: string
  /** Of a rubric: the level of each criterion, counted from 0, as radio buttons have it. */
  levels: (string | null | undefined)[]
  feedback: string
}

/** A level of each criterion where there is a rubric; else a mark. */
const schemaOf = (total: number | undefined, rubric: Rubric | undefined): z.ZodMiniType<MarkForm, MarkForm> =>
  z
    .object({
      marks: rubric ? z.string() : wholeNumber(0, total ?? Infinity),
      levels: z.array(z.nullish(z.string())),
      feedback: optionalText(5000),
    })
    .check((form) => {
      for (const at of rubric?.criteria.keys() ?? []) {
        if (form.value.levels[at]) continue
        form.issues.push({
          code: 'custom',
          message: 'Choose a level.',
          input: form.value.levels,
          path: ['levels', at],
        })
      }
    })

interface MarkDialogProps {
  submission: PendingSubmission
  /** Where several people review it: what it is reserved by. */
  review: ReviewTask | undefined
  /** It was reserved before, and something else was asked for. */
  unfinished: boolean
  /** What the assignment asks for. */
  task: ReactNode
  onClose: () => void
  /** The reservation has ended: the submission is reviewed or given back. */
  onReleased: (() => void) | undefined
  /** Opens another waiting submission, if there is one. */
  onAnother: (() => void) | undefined
}

/** Changes by others while the submission is open here, by the kind of event. */
const happened: Record<string, string> = {
  'submission.graded': 'Someone has marked this submission meanwhile. The first mark counts.',
  'submission.withdrawn': 'This submission has been taken back meanwhile.',
  'submission.changed':
    'This submission has been changed meanwhile. Close this and open it again to see how.',
}

/**
 * Grades one submission: the work, the task and the form side by side. The first grade wins; a later grader gets a
 * message.
 */
export default function MarkDialog({
  submission,
  review,
  unfinished,
  task,
  onClose,
  onReleased,
  onAnother,
}: MarkDialogProps) {
  const { _id: id } = submission
  const rubric = review?.rubric
  // Imported work may lack it.
  const total: number | undefined = submission.marks
  const draft = `mark ${id}`
  const schema = useMemo(() => schemaOf(total, rubric), [total, rubric])
  const form = useSchemaForm({ schema, values: { marks: '', levels: [], feedback: '' }, draft })
  const { mutateAsync } = useMutation(gradeSubmission)
  const { register, handleSubmit, setError, formState, control } = form
  const typed = useWatch({ control, name: 'marks' })
  const { errors, isSubmitting } = formState
  const [meanwhile, setMeanwhile] = useState('')
  useLive((event) => {
    if (event.id === id && !isSubmitting) setMeanwhile(happened[event.kind] ?? '')
  })

  /** Closed first, so that the focus it gives back does not leave the message that follows. */
  function close() {
    dropDraft(draft)
    onReleased?.()
    flushSync(onClose)
  }

  const submit = handleSubmit(async ({ marks, levels, feedback }) => {
    const given = rubric ? { levels: levels.map(Number) } : { marks: Number(marks) }
    let exemplar: Exemplar | undefined
    try {
      exemplar = await mutateAsync({ id, ...given, feedback })
    } catch (error) {
      if (isProblem(error, 'already-graded') || isProblem(error, 'already-reviewed')) {
        close()
        const text = isProblem(error, 'already-reviewed')
          ? explain(error)
          : 'Someone has already marked this submission.'
        void showAlert({ title: 'Error', text, error: true })
      } else if (isProblem(error, 'not-leased')) {
        const text = 'It is no longer reserved for you, and others have it now. What you wrote is still here.'
        void showAlert({ title: 'Error', text, error: true })
      } else if (!showFieldErrors(error, ['marks', 'feedback'], setError)) {
        void showAlert({ title: 'Error', text: 'Something went wrong', detail: explain(error), error: true })
      }
      return
    }
    close()
    const another = await showAlert({
      title: 'Success',
      text: 'Assignment marked successfully!',
      ...(exemplar && {
        detail: `This was sample work, known to be worth ${exemplar.mark} of ${total}: ${stripBidiControls(exemplar.reason)}`,
      }),
      circled: String(rubric ? sumOf(rubric, levels) : Number(marks)),
      next: onAnother && { label: review ? 'Review next' : 'Mark another' },
    })
    if (another) onAnother?.()
  })

  return (
    <Dialog title="Mark Assignment" size="desk" onClose={onClose}>
      <div role="status">{meanwhile && <p className="mb-4 font-semibold text-red">{meanwhile}</p>}</div>
      <div className="grid items-start gap-8 md:grid-cols-[minmax(0,1fr)_minmax(17rem,21rem)] lg:gap-12">
        <div className="min-w-0">
          <WorkToGrade submission={submission} task={task} />
          {review && <Report kind="submission" id={id} />}
        </div>
        <form
          noValidate
          onSubmit={(event) => void submit(event)}
          className="grid gap-5 max-md:border-t max-md:border-line max-md:pt-6 md:sticky md:top-0"
        >
          {review && <Reserved review={review} unfinished={unfinished} onGivenBack={close} />}
          {rubric ? (
            <RubricFields seed={id} rubric={rubric} control={control} register={register} errors={errors} />
          ) : (
            <MarkField
              seed={id}
              typed={typed}
              total={total}
              {...register('marks')}
              error={errors.marks?.message}
            />
          )}
          <TextArea
            label="Feedback"
            hint="Optional: what was good, and what to try next. Markdown works."
            {...register('feedback')}
            error={errors.feedback?.message}
            dir="auto"
          />
          <DialogActions sticky>
            <Button variant="quiet" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" busy={isSubmitting}>
              {isSubmitting ? 'Submitting...' : 'Submit'}
            </Button>
          </DialogActions>
        </form>
      </div>
    </Dialog>
  )
}
