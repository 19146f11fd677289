import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { use } from 'react'
import { InCircle, report, type Reported, type ReportTo } from './mutations'
import { reason } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { DialogForm } from '@/components/ui/dialog-form'
import { Select } from '@/components/ui/inputs'
import { ReasonInput } from '@/components/ui/reason-input'
import { toast } from '@/components/ui/toast'

interface ReportDialogProps {
  kind: Reported
  id: string
  onClose: () => void
}

const schema = z.object({ reason, to: z.enum(['organizers', 'moderators']) })

const thanks = (): Record<ReportTo, string> => ({
  organizers: t`Thank you. An organizer will look at it.`,
  moderators: t`Thank you. A moderator will look at it.`,
})

/** Reports something to the moderators, in a circle to its organizers if the user does not choose otherwise. */
export default function ReportDialog({ kind, id, onClose }: ReportDialogProps) {
  const { mutateAsync } = useMutation(report)
  const circle = use(InCircle)
  const draft = `report ${kind} ${id}`
  const usual: ReportTo = circle ? 'organizers' : 'moderators'
  const form = useSchemaForm({ schema, values: { reason: '', to: usual }, draft })
  const { errors } = form.formState
  return (
    <DialogForm
      title={t`Report`}
      form={form}
      draft={draft}
      fields={['reason', 'to']}
      send={({ reason: text, to }) => mutateAsync({ kind, id, reason: text, to: circle ? to : undefined })}
      onClose={onClose}
      onSent={({ to }) => toast(thanks()[to])}
      action={{ label: t`Report`, busy: t`Reporting...` }}
    >
      <ReasonInput
        hint={t`What is wrong with it? Your report is anonymous.`}
        {...form.register('reason')}
        error={errors.reason?.message}
      />
      {circle && (
        <Select
          label={t`To`}
          hint={t`Reports of what an organizer wrote always go to the moderators.`}
          {...form.register('to')}
          error={errors.to?.message}
        >
          <option value="organizers">{t`The organizers of this circle`}</option>
          <option value="moderators">{t`The moderators of this server`}</option>
        </Select>
      )}
    </DialogForm>
  )
}
