import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useId, useMemo, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useWatch } from 'react-hook-form'
import { Button, Dialog, DialogActions, Form, lazyDialog, showAlert } from '@/components/ui'
import { Report } from '@/entities/report/report'
import { RubricFields } from '@/entities/rubric/rubric-fields'
import { cx } from '@/lib/cx'
import { dropDraft } from '@/lib/drafts'
import { useLive } from '@/lib/live-events'
import { Problem, explain, isProblem } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { useSchemaForm } from '@/lib/use-schema-form'
import { BeforeSending } from './before-sending'
import { ComparedExemplar } from './compared-exemplar'
import { FeedbackField } from './feedback-field'
import { MarkField } from './mark-field'
import { emptyMark, feedbackOf, givenMark, markOf, markSchema, type MarkForm } from './mark-form'
import { correctReview, gradeSubmission } from '@/entities/submission/mutations'
import { NotSent } from './not-sent'
import type {
  CorrectableReview,
  Exemplar,
  PendingSubmission,
  ReviewTask,
} from '@/entities/submission/queries'
import { QuestionBox } from './question-box'
import { Reserved } from './reserved'
import { remarksOn } from './review-check'
import { useMarkKeys } from './use-mark-keys'
import { WorkToGrade } from './work-to-grade'

const sendBackDialog = lazyDialog(() => import('@/entities/submission/send-back-dialog'), {
  title: () => t`Send back`,
})
const phrasesDialog = lazyDialog(() => import('./phrases-dialog'), { title: () => t`My Phrases` })

interface MarkDialogProps {
  submission: PendingSubmission
  /** In assignments with several reviews: the reservation. */
  review: ReviewTask | undefined
  /** The user's review that is corrected; undefined for a new one. */
  correcting?: CorrectableReview | undefined
  /** It was reserved before, and something else was asked for. */
  unfinished: boolean
  /** The assignment's task. */
  task: ReactNode
  onClose: () => void
  findAnother: () => Promise<Another>
}

/** What follows once a submission is marked. */
interface Another {
  /** Opens another waiting submission; absent if none is left for the user. */
  open?: (() => void) | undefined
  /** What the user has done, after the last review. */
  ending?: string
}

/** Changes by others while the submission is open here, by the kind of event. */
const happened = (): Record<string, string> => ({
  'submission.graded': t`Someone else has marked this submission. The first mark counts.`,
  'submission.withdrawn': t`This submission has been withdrawn.`,
  'submission.changed': t`This submission has been changed. Close this dialog and open it again to see the new version.`,
})

/** Refusals after which this submission takes no review from this user any more. */
const overFor = (): Record<string, string> => ({
  'already-graded': t`Someone has already marked this submission.`,
  'already-reviewed': t`You have already reviewed this submission, in another tab or browser.`,
  'already-settled': t`It has its mark now, so your review can no longer change.`,
  'own-submission': t`You cannot review your own submission.`,
  'not-found': t`This submission is gone: it was withdrawn, or a moderator has hidden it.`,
})

/** Any other failure, after which sending again may succeed. */
const refusalOf = (error: unknown) =>
  isProblem(error, 'not-leased')
    ? {
        text: t`It is no longer reserved for you, and others have it now. What you wrote is still here.`,
        detail: t`You can submit it later, if a slot becomes free, or copy it and close this.`,
      }
    : { text: t`Something went wrong`, detail: explain(error) }

/** Focuses the mark's box; the pressed digit then replaces its value. */
function typeMark(form: HTMLFormElement | null): void {
  const box = form?.querySelector('input')
  box?.focus()
  box?.select()
}

const criteriaOf = (form: HTMLFormElement | null) => [...(form?.querySelectorAll('fieldset') ?? [])]

/** The criterion that a digit decides: the focused one, or the first without a level. */
function criterionAt(form: HTMLFormElement | null, levels: MarkForm['levels']): number {
  const all = criteriaOf(form)
  const focused = all.findIndex((criterion) => criterion.contains(document.activeElement))
  if (focused >= 0) return focused
  const open = all.findIndex((_, at) => !levels[at])
  return Math.max(open, 0)
}

function focusCriterion(form: HTMLFormElement | null, at: number): void {
  const criterion = criteriaOf(form)[at]
  const level = criterion?.querySelector<HTMLElement>('input:checked') ?? criterion?.querySelector('input')
  level?.focus()
}

/**
 * Grades one submission: the work, the task and the form side by side. The first grade wins; a later grader gets a
 * message.
 */
export default function MarkDialog({
  submission,
  review,
  correcting,
  unfinished,
  task,
  onClose,
  findAnother,
}: MarkDialogProps) {
  const { _id: id } = submission
  const rubric = (correcting ?? review)?.rubric
  // Imported work may lack it.
  const total: number | undefined = submission.marks
  const draft = correcting ? `correct ${correcting._id}` : `mark ${id}`
  const schema = useMemo(() => markSchema(total, rubric), [total, rubric])
  const first = useMemo(() => (correcting ? givenMark(correcting) : emptyMark), [correcting])
  const form = useSchemaForm({
    schema,
    values: first,
    draft,
    over: correcting && JSON.stringify(first),
  })
  const { mutateAsync: grade } = useMutation(gradeSubmission)
  const { mutateAsync: correct } = useMutation(correctReview)
  const { register, handleSubmit, setError, setValue, formState, control } = form
  const typed = { ...emptyMark, ...useWatch({ control }) }
  const { errors, isSubmitting } = formState
  const remarksId = useId()
  const formElement = useRef<HTMLFormElement>(null)
  const [meanwhile, setMeanwhile] = useState('')
  const [refused, setRefused] = useState('')
  const [phrasing, setPhrasing] = useState(false)
  const [returning, setReturning] = useState(false)
  useLive((event) => {
    if (event.id === id && !isSubmitting) setMeanwhile(happened()[event.kind] ?? '')
  })
  useMarkKeys(formElement, {
    onDigit: (digit) => {
      if (!rubric) return typeMark(formElement.current)
      const at = criterionAt(formElement.current, typed.levels)
      if (!rubric.criteria[at]?.levels[digit - 1]) return
      setValue(`levels.${at}`, String(digit - 1), {
        shouldDirty: true,
        shouldValidate: formState.isSubmitted,
      })
      focusCriterion(formElement.current, Math.min(at + 1, rubric.criteria.length - 1))
    },
    onSubmit: () => {
      if (!refused && !isSubmitting) formElement.current?.requestSubmit()
    },
  })
  const mark = markOf(typed, total, rubric)
  const remarks =
    mark === undefined || refused
      ? []
      : remarksOn({
          share: total ? mark / total : 1,
          criteria: rubric?.criteria ?? [],
          levels: typed.levels.map(Number),
          comments: typed.comments,
          feedback: typed.feedback,
        })

  /** Closed first, so that the focus it gives back does not leave the message that follows. */
  function close() {
    dropDraft(draft)
    flushSync(onClose)
  }

  const submit = handleSubmit(async (values) => {
    const given: { levels?: number[]; marks?: number } = rubric
      ? { levels: values.levels.map(Number) }
      : { marks: Number(values.marks) }
    const feedback = feedbackOf(values, rubric)
    let exemplar: Exemplar | undefined
    try {
      if (correcting) await correct({ id: correcting._id, ...given, feedback })
      else exemplar = await grade({ id, ...given, feedback })
    } catch (error) {
      if (showFieldErrors(error, ['marks', 'feedback'], setError)) return
      const final = error instanceof Problem ? overFor()[error.code] : undefined
      if (final) setRefused(final)
      void showAlert({ title: t`Error`, error: true, ...(final ? { text: final } : refusalOf(error)) })
      return
    }
    const { open: openAnother, ending } = await findAnother()
    close()
    const wantsAnother = await showAlert({
      title: t`Success`,
      text: correcting ? t`Your review is corrected.` : t`Assignment marked successfully!`,
      ...(exemplar
        ? {
            detail: (
              <ComparedExemplar
                exemplar={exemplar}
                total={total}
                rubric={rubric}
                mark={mark}
                levels={given.levels}
              />
            ),
          }
        : { circled: String(mark), detail: ending }),
      next: openAnother && { label: review ? t`Next` : t`Mark another`, usual: true },
    })
    if (wantsAnother) openAnother?.()
  })

  return (
    <Dialog title={t`Mark Assignment`} size="desk" onClose={onClose}>
      <div role="status">{meanwhile && <p className="mb-4 font-semibold text-red">{meanwhile}</p>}</div>
      <div className="grid items-start gap-8 md:grid-cols-[minmax(0,1fr)_minmax(17rem,23rem)] lg:gap-12">
        <div className="min-w-0">
          <WorkToGrade submission={submission} task={task} />
          {(correcting ?? review) && <QuestionBox submissionId={id} />}
          {!review && !correcting && (
            <Button variant="plain" size="sm" className="-ms-3" onClick={() => setReturning(true)}>
              {t`Send back`}
            </Button>
          )}
          {review && <Report kind="submission" id={id} />}
        </div>
        <Form
          ref={formElement}
          onSubmit={submit}
          className={cx(
            'grid gap-5 max-md:border-t max-md:border-line max-md:pt-6',
            !rubric && 'md:sticky md:top-0',
          )}
        >
          {review && <Reserved review={review} unfinished={unfinished} onGivenBack={close} />}
          {correcting && (
            <p className="text-sm text-soft">
              <Trans>
                You can correct your review until the mark is settled. The organizer can see what it said
                before, but not whose it is.
              </Trans>
            </p>
          )}
          {rubric ? (
            <RubricFields
              seed={id}
              rubric={rubric}
              chosen={typed.levels}
              levelAt={(at) => register(`levels.${at}`)}
              commentAt={(at) => register(`comments.${at}`)}
              errorAt={(at) => errors.levels?.[at]?.message}
            />
          ) : (
            <MarkField
              seed={id}
              typed={typed.marks}
              total={total}
              {...register('marks')}
              error={errors.marks?.message}
            />
          )}
          <FeedbackField
            field={register('feedback')}
            onText={(text) => setValue('feedback', text, { shouldDirty: true })}
            onManage={() => setPhrasing(true)}
            error={errors.feedback?.message}
          />
          <BeforeSending id={remarksId} remarks={remarks} />
          {refused && (
            <NotSent
              reason={refused}
              failed={t`Your review was not sent.`}
              text={feedbackOf(typed, rubric)}
            />
          )}
          <DialogActions sticky>
            <p className="me-auto hidden self-center text-xs text-soft pointer-fine:block">
              {rubric ? t`Keys 1, 2, … choose levels. Ctrl+Enter submits.` : t`Ctrl+Enter submits.`}
            </p>
            <Button variant="quiet" onClick={refused ? close : onClose}>
              {refused ? t`Close` : t`Cancel`}
            </Button>
            {!refused && (
              <Button
                type="submit"
                busy={isSubmitting}
                aria-keyshortcuts="Control+Enter"
                aria-describedby={remarks.length > 0 ? remarksId : undefined}
              >
                {isSubmitting ? t`Submitting...` : t`Submit`}
              </Button>
            )}
          </DialogActions>
        </Form>
      </div>
      {returning && <sendBackDialog.Dialog id={id} onClose={() => setReturning(false)} onSent={close} />}
      {phrasing && <phrasesDialog.Dialog onClose={() => setPhrasing(false)} />}
    </Dialog>
  )
}
