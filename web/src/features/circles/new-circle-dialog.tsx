import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { DialogForm, Radio, TextArea, TextInput } from '@/components/ui'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { description, name } from './circle-form'
import { createCircle, type Settings } from '@/entities/circle/mutations'

const schema: z.ZodMiniType<NewCircle, NewCircle> = z.object({
  name,
  publishing: z.enum(['organizers', 'members']),
  description,
})
const draft = 'circle'

type NewCircle = Pick<Settings, 'name' | 'publishing' | 'description'>

/** Founds a circle, and leads into it. */
export function NewCircleDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const { mutateAsync } = useMutation(createCircle)
  const form = useSchemaForm<NewCircle>({
    schema,
    values: { name: '', publishing: 'members', description: '' },
    draft,
  })
  const { register, formState } = form
  const { errors } = formState
  const id = useRef('')
  return (
    <DialogForm
      title={t`New circle`}
      form={form}
      draft={draft}
      fields={['name', 'publishing', 'description']}
      send={async (fields) => {
        id.current = await mutateAsync(fields)
      }}
      onClose={onClose}
      onSent={() => void navigate(`/circle/${id.current}`)}
      action={{ label: t`Create circle`, busy: t`Creating…` }}
    >
      <p className="-mt-2 text-soft">
        {t`Only members whom you let in see it. You decide later how they join, and who grades.`}
      </p>
      <TextInput
        label={t`Name`}
        autoComplete="off"
        dir="auto"
        {...register('name')}
        error={errors.name?.message}
      />
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-sm font-semibold">{t`Class or club?`}</legend>
        <Radio value="organizers" {...register('publishing')}>
          {t`Class: only organizers publish assignments`}
        </Radio>
        <Radio value="members" {...register('publishing')}>
          {t`Club: all members publish assignments`}
        </Radio>
      </fieldset>
      <TextArea
        markdown
        label={t`Description`}
        hint={t`Optional: what it is for. Markdown works.`}
        dir="auto"
        {...register('description')}
        error={errors.description?.message}
      />
    </DialogForm>
  )
}
