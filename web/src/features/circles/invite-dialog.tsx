import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { DialogForm, Select, TextInput } from '@/components/ui'
import { emailAddress, optionalText, textThat, wholeNumber } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { invite } from '@/entities/circle/joining'

const dayMs = 86_400_000

const orEmpty = (rule: z.ZodMiniType<string, string>, message: () => string) =>
  textThat((text) => text.trim() === '' || z.safeParse(rule, text).success, message)

const schema = z.object({
  role: z.enum(['member', 'organizer']),
  days: z.string(),
  uses: orEmpty(wholeNumber(1, 100_000), () => t`A whole number from 1 to 100,000.`),
  label: optionalText(40),
  onlyEmail: orEmpty(emailAddress, () => t`Enter an email address, like name@example.org.`),
  onlyDomain: textThat(
    (text) => !/[\s@]/.test(text.trim()),
    () => t`Enter a domain, like example.org.`,
  ),
})

interface InviteDialogProps {
  id: string
  onClose: () => void
  /** There is a link, which the server does not tell again. */
  onMade: (url: string) => void
}

/** Makes an invitation: for whom it is, how often and until when it works. */
export function InviteDialog({ id, onClose, onMade }: InviteDialogProps) {
  const { mutateAsync } = useMutation(invite)
  const url = useRef('')
  const draft = `invitation ${id}`
  const form = useSchemaForm<z.infer<typeof schema>>({
    schema,
    values: { role: 'member', days: '30', uses: '', label: '', onlyEmail: '', onlyDomain: '' },
    draft,
  })
  const { register, formState } = form
  const { errors } = formState
  return (
    <DialogForm
      title={t`Invite`}
      form={form}
      draft={draft}
      fields={['role', 'uses', 'label', 'onlyEmail', 'onlyDomain']}
      send={async ({ role, days, uses, label, onlyEmail, onlyDomain }) => {
        url.current = await mutateAsync({
          id,
          input: {
            role,
            label,
            uses: uses.trim() ? Number(uses) : null,
            expiresAt: new Date(Date.now() + Number(days) * dayMs).toISOString(),
            onlyEmail: onlyEmail.trim(),
            onlyDomain: onlyDomain.trim(),
          },
        })
      }}
      onClose={onClose}
      onSent={() => onMade(url.current)}
      action={{ label: t`Create link`, busy: t`Creating…` }}
    >
      <p className="-mt-2 text-soft">{t`You get a link to send. Anyone who opens it can join.`}</p>
      <div className="grid items-start gap-x-4 gap-y-5 sm:grid-cols-2">
        <Select label={t`Role`} {...register('role')}>
          <option value="member">{t`Member`}</option>
          <option value="organizer">{t`Organizer`}</option>
        </Select>
        <Select label={t`Valid for`} {...register('days')}>
          <option value="1">{t`One day`}</option>
          <option value="7">{t`One week`}</option>
          <option value="30">{t`30 days`}</option>
          <option value="90">{t`90 days`}</option>
          <option value="365">{t`One year`}</option>
        </Select>
        <TextInput
          label={t`Uses`}
          hint={t`Leave it empty for any number.`}
          inputMode="numeric"
          autoComplete="off"
          {...register('uses')}
          error={errors.uses?.message}
        />
        <TextInput
          label={t`Section`}
          hint={t`Optional: a section of the class or a team.`}
          autoComplete="off"
          dir="auto"
          {...register('label')}
          error={errors.label?.message}
        />
      </div>
      <TextInput
        label={t`Only for this email address`}
        hint={t`Optional. They have to confirm it.`}
        type="email"
        autoComplete="off"
        {...register('onlyEmail')}
        error={errors.onlyEmail?.message}
      />
      <TextInput
        label={t`Only for addresses at this domain`}
        hint={t`Optional: school.example, for instance.`}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...register('onlyDomain')}
        error={errors.onlyDomain?.message}
      />
    </DialogForm>
  )
}
