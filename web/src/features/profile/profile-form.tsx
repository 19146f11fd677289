import { useMutation } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { Button, PictureField, TextInput, showAlert, toast } from '@/components/ui'
import type { SessionUser } from '@/lib/boot'
import { explain } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { isWebAddress, lengthOf } from '@/lib/text'
import { updateProfile } from './mutations'
import { Section } from './section'

export function ProfileForm({ user }: { user: SessionUser }) {
  const { mutateAsync } = useMutation(updateProfile)
  const { register, handleSubmit, formState, setError, setValue, control } = useForm({
    defaultValues: { displayName: user.displayName, photoURL: user.photoURL ?? '' },
  })
  const { errors, isSubmitting } = formState
  const photo = useWatch({ control, name: 'photoURL' })

  const submit = handleSubmit(async ({ displayName, photoURL }) => {
    try {
      await mutateAsync({ displayName: displayName.trim(), photoURL: photoURL.trim() })
      void toast('Profile saved')
    } catch (error) {
      if (showFieldErrors(error, ['displayName', 'photoURL'], setError)) return
      await showAlert({ title: 'Error', text: explain(error), error: true })
    }
  })

  return (
    <Section title="You" about="As your friends see you, beside what you set and what you hand in.">
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        <TextInput
          label="Name"
          autoComplete="name"
          dir="auto"
          {...register('displayName', {
            validate: (value) =>
              (value.trim() !== '' && lengthOf(value.trim()) <= 100) ||
              'Enter a name of up to 100 characters.',
          })}
          error={errors.displayName?.message}
        />
        <PictureField
          label="Photo URL"
          hint="Optional: the web address of a picture, or one of our drawings. Without one, we draw your initials."
          inputMode="url"
          autoComplete="photo"
          {...register('photoURL', {
            validate: (value) =>
              value.trim() === '' ||
              isWebAddress(value.trim()) ||
              'Enter a web address that starts with http:// or https://.',
          })}
          error={errors.photoURL?.message}
          art="people"
          address={photo}
          onPick={(url) => setValue('photoURL', url, { shouldDirty: true, shouldValidate: true })}
        />
        <Button type="submit" busy={isSubmitting} className="justify-self-start">
          {isSubmitting ? 'Saving…' : 'Save'}
        </Button>
      </form>
    </Section>
  )
}
