import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { DialogForm, TextArea, TextInput } from '@/components/ui'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { description, name } from './circle-form'
import { createCircle } from '@/entities/circle/mutations'

const schema = z.object({ name, description })
const draft = 'circle'

/** Founds a circle, and leads into it. */
export function NewCircleDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const { mutateAsync } = useMutation(createCircle)
  const form = useSchemaForm({ schema, values: { name: '', description: '' }, draft })
  const { register, formState } = form
  const { errors } = formState
  const id = useRef('')
  return (
    <DialogForm
      title="New circle"
      form={form}
      draft={draft}
      fields={['name', 'description']}
      send={async (fields) => {
        id.current = await mutateAsync(fields)
      }}
      onClose={onClose}
      onSent={() => void navigate(`/circle/${id.current}`)}
      action={{ label: 'Create circle', busy: 'Creating…' }}
    >
      <p className="-mt-2 text-soft">
        Only members whom you let in see it. You decide later how they join, and who publishes and grades.
      </p>
      <TextInput
        label="Name"
        autoComplete="off"
        dir="auto"
        {...register('name')}
        error={errors.name?.message}
      />
      <TextArea
        markdown
        label="Description"
        hint="Optional: what it is for. Markdown works."
        dir="auto"
        {...register('description')}
        error={errors.description?.message}
      />
    </DialogForm>
  )
}
