import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, DialogForm, TextInput, failed, toast } from '@/components/ui'
import { extend } from '@/entities/assignment/extensions'
import { addDays, dayOfDate, endOfDay, formatDay, parseDay } from '@/lib/dates'
import { textThat } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'

const schema = z.object({
  dueDate: textThat(
    (value) => parseDay(value) !== null,
    () => t`A day like 2026/12/01.`,
  ),
})

export interface ExtraTimeProps {
  assignmentId: string
  /** The student who gets it. */
  userId: string
  name: string
  onClose: () => void
}

/** Gives one student more time for an assignment; a week from today is proposed. */
export default function ExtraTimeDialog({ assignmentId: id, userId, name, onClose }: ExtraTimeProps) {
  const [proposed] = useState(() => formatDay(addDays(dayOfDate(new Date()), 7)))
  const draft = `extra time ${id} ${userId}`
  const form = useSchemaForm({ schema, values: { dueDate: proposed }, draft })
  const { mutateAsync, isPending } = useMutation(extend)

  async function takeAway() {
    try {
      await mutateAsync({ id, userId, dueDate: null })
      onClose()
      toast(t`The due date of the assignment applies again`)
    } catch (error) {
      void failed(error)
    }
  }

  return (
    <DialogForm
      title={t`Extra time`}
      form={form}
      draft={draft}
      fields={['dueDate']}
      send={async ({ dueDate }) => {
        const day = parseDay(dueDate)
        await mutateAsync({ id, userId, dueDate: day ? endOfDay(day) : '' })
      }}
      onClose={onClose}
      onSent={() => toast(t`Extra time given`)}
      action={{ label: t`Save`, busy: t`Saving…` }}
    >
      <p dir="auto" className="-mt-3 wrap-anywhere text-soft">
        {name}
      </p>
      <TextInput
        label={t`Due date for this student`}
        hint={t`yyyy/MM/dd, after the due date of the assignment. Other students do not see it.`}
        inputMode="numeric"
        autoComplete="off"
        {...form.register('dueDate')}
        error={form.formState.errors.dueDate?.message}
      />
      <Button
        variant="plain"
        size="sm"
        className="-ms-3 justify-self-start"
        busy={isPending}
        onClick={takeAway}
      >
        {t`Take extra time away`}
      </Button>
    </DialogForm>
  )
}
