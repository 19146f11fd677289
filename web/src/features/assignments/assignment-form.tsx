import { t } from '@lingui/core/macro'
import { useEffect, useState, type ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Button, Form, PictureField, Select, TextInput, artAddress, failed, lazyView } from '@/components/ui'
import { cx } from '@/lib/cx'
import { isProblem } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { userEmail } from '@/lib/session'
import { useSignIn } from '@/lib/site'
import { isWebAddress } from '@/lib/text'
import { useDraft } from '@/lib/use-draft'
import { fetchedResolverOf } from '@/lib/use-schema-form'
import { dropDraft, readDraft } from '@/lib/drafts'
import type { Assignment, AssignmentInput } from '@/entities/assignment/queries'
import { ChangedMeanwhile } from './changed-meanwhile'
import { DescriptionField } from './description-field'
import { DueDateField } from './due-date-field'
import {
  counted,
  fetchAssignmentSchema,
  fields,
  valuesOf,
  inputOf,
  isPastDay,
  type AssignmentFormValues,
} from './form-schema'
import { ReviewingFields } from './reviewing-fields'
import { useIsTaken } from './use-is-taken'
import { useRebase } from './use-rebase'

const AssignmentPreview = lazyView(() => import('./assignment-preview'), {
  label: () => t`Loading the preview`,
})
const resolve = fetchedResolverOf(fetchAssignmentSchema)

/** Something to set, as it stands in a link. */
interface Idea {
  title: string
  description: string
  /** The name of one of our drawings. */
  art: string
}

interface AssignmentFormProps {
  /** The assignment to change, in its newest known version; undefined for a new one. */
  assignment?: Assignment
  /** The first values of a new assignment. */
  idea?: Idea | undefined
  action: string
  busyAction: string
  /** Whom a new assignment is for. */
  audience?: ReactNode
  /** The circle that a new assignment is for; empty for none. */
  circle?: string
  /** Asked before it is sent. */
  confirm?: () => Promise<boolean>
  /** Sends the form and navigates on, until when it stays locked; throws the server's refusal. `over`: the version that was changed. */
  send: (input: AssignmentInput, over: string) => Promise<void>
}

/** The form of Create and Update. Its draft is kept until the server has accepted it. */
export function AssignmentForm(props: AssignmentFormProps) {
  const { assignment, idea, action, busyAction, audience, circle = '', confirm, send } = props
  const { publicOrigin } = useSignIn()
  const draft = assignment ? `update ${assignment._id}` : 'create'
  // A draft over another version or another idea does not apply.
  const overOf = (version: Assignment | undefined) => version?.updatedAt ?? idea?.title
  const firstOf = (version: Assignment | undefined) =>
    version ? valuesOf(version) : startOf(idea, publicOrigin)
  const form = useForm<AssignmentFormValues>({
    resolver: (values, context, options) => resolve(counted(values), context, options),
    defaultValues: {
      ...(assignment && valuesOf(assignment)),
      ...(readDraft<AssignmentFormValues>(draft, overOf(assignment)) ?? startOf(idea, publicOrigin)),
    },
  })
  const { register, control, formState, setError, handleSubmit, setValue } = form
  const { errors } = formState
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)
  const { base, taken, clashes, take } = useRebase(form, assignment, sent)
  useDraft(draft, form, firstOf(base), { over: overOf(base) })
  useEffect(() => void fetchAssignmentSchema().catch(() => null), [])
  const thumbnail = useWatch({ control, name: 'thumbnail' }) ?? ''
  const reviewsNeeded = useWatch({ control, name: 'reviewsNeeded' }) ?? '1'
  const criteria = useWatch({ control, name: 'rubric.criteria' }) ?? []
  const isTaken = useIsTaken(assignment?._id)
  const hasRubric = reviewsNeeded !== '1' && criteria.length > 0
  const [leftThumbnail, setLeftThumbnail] = useState<string | null>(null)

  const submit = handleSubmit(async (values) => {
    if (isPastDay(values.dueDate, base)) {
      setError('dueDate', { message: t`Today or a later day.` }, { shouldFocus: true })
      return
    }
    if (confirm && !(await confirm())) return
    setBusy(true)
    // The version that this save creates is not another user's change.
    setSent(true)
    try {
      await send(inputOf(values, base), base?.updatedAt ?? '')
      dropDraft(draft)
    } catch (error) {
      setSent(false)
      setBusy(false)
      if (showFieldErrors(error, fields, setError) || isSaidElsewhere(error)) return
      void failed(error)
    }
  })

  return (
    <Form
      onSubmit={submit}
      className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <div className="grid gap-8">
        <Part>
          {audience}
          <TextInput label={t`Title`} {...register('title')} error={errors.title?.message} dir="auto" />
          <DescriptionField
            control={control}
            wiring={register('description')}
            error={errors.description?.message}
          />
        </Part>
        <Part className="sm:grid-cols-2">
          <TextInput
            label={t`Marks`}
            hint={hasRubric ? t`The total of the rubric.` : t`1 to 1,000.`}
            readOnly={hasRubric}
            type="number"
            inputMode="numeric"
            min={1}
            max={1000}
            step={1}
            {...register('marks')}
            error={errors.marks?.message}
          />
          <Select
            label={t`Level`}
            hint={t`How hard it is.`}
            {...register('level')}
            error={errors.level?.message}
          >
            <option value="easy">{t`Easy`}</option>
            <option value="medium">{t`Medium`}</option>
            <option value="hard">{t`Hard`}</option>
          </Select>
        </Part>
        <Part>
          <PictureField
            label={t`Thumbnail Image URL`}
            hint={t`The web address of a picture for its card, or one of our drawings.`}
            type="url"
            placeholder="https://"
            {...register('thumbnail', { onBlur: () => setLeftThumbnail(thumbnail) })}
            error={errors.thumbnail?.message}
            art="thumbs"
            address={thumbnail}
            onPick={(url) => {
              setValue('thumbnail', url, { shouldDirty: true, shouldValidate: formState.isSubmitted })
              setLeftThumbnail(url)
            }}
          />
        </Part>
        <Part className="sm:grid-cols-2">
          <DueDateField form={form} before={base} />
          <ReviewingFields form={form} assignment={assignment} circle={circle} isTaken={isTaken} />
        </Part>
      </div>
      <AssignmentPreview
        control={control}
        thumbnail={shownPicture(leftThumbnail ?? formState.defaultValues?.thumbnail ?? '')}
      />
      <div className="grid gap-6 lg:col-start-1">
        <ChangedMeanwhile taken={taken} clashes={clashes} onTake={take} />
        <Button type="submit" busy={busy} className="sm:justify-self-start">
          {busy ? busyAction : action}
        </Button>
      </div>
    </Form>
  )
}

/** Fields that belong together. */
function Part({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div
      className={cx(
        'grid items-start gap-6 border-line not-last:border-b not-last:pb-8 max-sm:gap-5',
        className,
      )}
    >
      {children}
    </div>
  )
}

function startOf(idea: Idea | undefined, origin: string | null): Partial<AssignmentFormValues> {
  if (!idea) return {}
  const { title, description, art } = idea
  return { title, description, ...(art && { thumbnail: artAddress('thumbs', art, origin) }) }
}

const shownPicture = (address: string) => (isWebAddress(address.trim()) ? address.trim() : '')

/** The form itself reports a newer version, and Login a session that has ended. */
function isSaidElsewhere(error: unknown): boolean {
  return isProblem(error, 'changed') || userEmail() === null
}
