import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { DialogForm, Select, TextInput, toast } from '@/components/ui'
import { optionalText, wholeNumber } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { changeMember, type Member } from '@/entities/circle/members'
import type { Circle } from '@/entities/circle/queries'

const schema = z.object({
  role: z.enum(['owner', 'organizer', 'member']),
  label: optionalText(40),
  name: optionalText(100),
  familyName: optionalText(100),
  extraDays: wholeNumber(0, 60),
})

interface MemberDialogProps {
  circle: Circle
  member: Member
  onClose: () => void
}

/** Changes a member's label, name in the roster and extra time, and for owners the role. */
export function MemberDialog({ circle, member, onClose }: MemberDialogProps) {
  const { _id: id } = circle
  const { userId, role, label, name = '', familyName = '', extraDays = 0, displayName, may } = member
  const { mutateAsync } = useMutation(changeMember)
  const before = { role, label, name, familyName, extraDays: String(extraDays) }
  const draft = `member ${id} ${userId}`
  const form = useSchemaForm({ schema, values: before, draft, over: JSON.stringify(before) })
  const { register, formState } = form
  const { errors } = formState
  return (
    <DialogForm
      title={t`Edit member`}
      form={form}
      draft={draft}
      fields={['role', 'label', 'name', 'familyName', 'extraDays']}
      send={async (values) => {
        await mutateAsync({
          id,
          userId,
          input: {
            label: values.label,
            name: values.name,
            ...(values.familyName !== familyName && { familyName: values.familyName }),
            ...(Number(values.extraDays) !== extraDays && { extraDays: Number(values.extraDays) }),
            ...(may?.role && { role: values.role }),
          },
        })
      }}
      onClose={onClose}
      onSent={() => toast(t`Saved`)}
      action={{ label: t`Save`, busy: t`Saving…` }}
    >
      <p dir="auto" className="-mt-3 wrap-anywhere text-soft">
        {displayName}
      </p>
      {may?.role && (
        <Select label={t`Role`} {...register('role')} error={errors.role?.message}>
          <option value="member">{t`Member`}</option>
          <option value="organizer">{t`Organizer: manages members and assignments`}</option>
          <option value="owner">{t`Owner: decides everything`}</option>
        </Select>
      )}
      <TextInput
        label={t`Section`}
        hint={t`Optional: a section of the class or a team.`}
        autoComplete="off"
        dir="auto"
        {...register('label')}
        error={errors.label?.message}
      />
      <TextInput
        label={t`Name in this circle`}
        hint={t`Optional, as in your roster. Only organizers of this circle see it.`}
        autoComplete="off"
        dir="auto"
        {...register('name')}
        error={errors.name?.message}
      />
      <TextInput
        label={t`Family name`}
        hint={t`Optional: lists are sorted by it. By default it is the last word of the name.`}
        autoComplete="off"
        dir="auto"
        {...register('familyName')}
        error={errors.familyName?.message}
      />
      <TextInput
        label={t`Extra days`}
        hint={t`Extra time for every assignment of the circle, 0 to 60 days. Only organizers and the member see it.`}
        inputMode="numeric"
        autoComplete="off"
        {...register('extraDays')}
        error={errors.extraDays?.message}
      />
    </DialogForm>
  )
}
