import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { Button, Form, PictureField, TextInput, failed, toast } from '@/components/ui'
import type { SessionUser } from '@/lib/boot'
import { dropDraft } from '@/lib/drafts'
import { showFieldErrors } from '@/lib/server-errors'
import { useSchemaForm } from '@/lib/use-schema-form'
import { updateProfile } from '@/entities/user/mutations'
import { Section } from './section'

const schema = async () => (await import('./profile-schema')).schema
const draft = 'profile'

export function ProfileForm({ user }: { user: SessionUser }) {
  const { mutateAsync } = useMutation(updateProfile)
  const saved = { displayName: user.displayName, photoURL: user.photoURL ?? '' }
  const { register, handleSubmit, formState, setError, setValue, control } = useSchemaForm({
    schema,
    values: saved,
    draft,
    over: JSON.stringify(saved),
  })
  const { errors, isSubmitting } = formState
  const photo = useWatch({ control, name: 'photoURL' })

  const submit = handleSubmit(async (values) => {
    try {
      await mutateAsync(values)
      dropDraft(draft)
      toast(t`Profile saved`)
    } catch (error) {
      if (showFieldErrors(error, ['displayName', 'photoURL'], setError)) return
      await failed(error)
    }
  })

  return (
    <Section id="you" title={t`You`} about={t`How other users see you.`}>
      <Form onSubmit={submit} className="grid items-start gap-x-10 gap-y-5 md:grid-cols-2">
        <TextInput
          label={t`Name`}
          autoComplete="name"
          dir="auto"
          {...register('displayName')}
          error={errors.displayName?.message}
        />
        <PictureField
          label={t`Photo URL`}
          hint={t`Optional: the web address of a picture, or one of our drawings. Without one, we draw your initials.`}
          inputMode="url"
          autoComplete="photo"
          {...register('photoURL')}
          error={errors.photoURL?.message}
          art="people"
          address={photo}
          onPick={(url) => setValue('photoURL', url, { shouldDirty: true, shouldValidate: true })}
        />
        <Button type="submit" busy={isSubmitting} className="justify-self-start">
          {isSubmitting ? t`Saving…` : t`Save`}
        </Button>
      </Form>
    </Section>
  )
}
