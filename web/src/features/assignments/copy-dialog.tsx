import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Checkbox, DialogForm, TextInput, toast } from '@/components/ui'
import { copyAssignment } from '@/entities/assignment/copy'
import type { Assignment } from '@/entities/assignment/queries'
import { ForField } from '@/entities/circle/for-field'
import { addDays, calendarDayOf, dayOfDate, endOfDay, formatDay, parseDay } from '@/lib/dates'
import { textThat } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'

const schema = z.object({
  dueDate: textThat(
    (value) => parseDay(value) !== null,
    () => t`A day like 2026/12/01.`,
  ),
  exemplars: z.boolean(),
})

/** The due date that is proposed: the assignment's, or in a week where that has passed. */
function proposedFor({ dueDate }: Assignment): string {
  const day = Date.parse(dueDate) > Date.now() ? calendarDayOf(dueDate) : null
  return formatDay(day ?? addDays(dayOfDate(new Date()), 7))
}

/** Publishes an assignment again, due at another time, in any place where the user may publish. */
export default function CopyDialog({ assignment, onClose }: { assignment: Assignment; onClose: () => void }) {
  const { _id: id, title, circleId, reviewsNeeded = 0, reviewDueDate } = assignment
  const [proposed] = useState(() => proposedFor(assignment))
  const [circle, setCircle] = useState(circleId ?? '')
  const copied = useRef('')
  const navigate = useNavigate()
  const draft = `copy ${id}`
  const form = useSchemaForm({ schema, values: { dueDate: proposed, exemplars: false }, draft })
  const { mutateAsync } = useMutation(copyAssignment)
  return (
    <DialogForm
      title={t`Copy the assignment`}
      form={form}
      draft={draft}
      fields={['dueDate']}
      send={async ({ dueDate, exemplars }) => {
        const day = parseDay(dueDate)
        const input = { dueDate: day ? endOfDay(day) : '', circle: circle || null, exemplars }
        copied.current = await mutateAsync({ id, input })
      }}
      onClose={onClose}
      onSent={() => {
        void navigate(`/assignment/${copied.current}`)
        toast(t`Assignment copied: this is the new one`)
      }}
      action={{ label: t`Create`, busy: t`Creating…` }}
    >
      <p dir="auto" className="-mt-3 wrap-anywhere text-soft">
        {title}
      </p>
      <TextInput
        label={t`Due Date`}
        hint={
          reviewDueDate
            ? t`yyyy/MM/dd. The review due date moves along.`
            : t`yyyy/MM/dd. Everything else stays as it is.`
        }
        inputMode="numeric"
        autoComplete="off"
        {...form.register('dueDate')}
        error={form.formState.errors.dueDate?.message}
      />
      <ForField value={circle} onChange={setCircle} />
      {reviewsNeeded > 0 && <Checkbox label={t`With its exemplars`} {...form.register('exemplars')} />}
    </DialogForm>
  )
}
