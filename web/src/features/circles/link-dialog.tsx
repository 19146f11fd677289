import { t } from '@lingui/core/macro'
import { useNavigate } from 'react-router'
import { DialogForm, TextInput } from '@/components/ui'
import { secretIn } from '@/lib/secret'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'

const schema = z.object({
  link: z.string().check(
    z.trim(),
    z.refine((text) => secretIn(text) !== '', {
      error: () => t`Paste the whole link, as it was sent to you.`,
    }),
  ),
})

/** Leads to what a link invites to. The link is a secret: it has no draft. */
export function LinkDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const form = useSchemaForm({ schema, values: { link: '' } })
  const { register, formState } = form
  return (
    <DialogForm
      title={t`Join with a link`}
      form={form}
      draft=""
      fields={['link']}
      send={() => Promise.resolve()}
      onClose={onClose}
      onSent={({ link }) => void navigate(`/join#${secretIn(link)}`)}
      action={{ label: t`Continue`, busy: t`Continue` }}
    >
      <TextInput
        label={t`Link`}
        hint={t`An organizer of the circle sends it to you.`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://…/join#…"
        {...register('link')}
        error={formState.errors.link?.message}
      />
    </DialogForm>
  )
}
