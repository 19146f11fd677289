import { useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { writeDraft } from './drafts'

interface DraftOptions {
  /** The version of what the form changes; a draft over another version is not used. */
  over?: string
  /** Fields that must not be kept. */
  without?: readonly string[]
}

/** Keeps what is typed into the form under a name. */
export function useDraft<T extends FieldValues>(
  name: string,
  form: UseFormReturn<T>,
  { over, without }: DraftOptions = {},
): void {
  const { subscribe } = form
  useEffect(
    () =>
      subscribe({
        formState: { values: true, isDirty: true },
        callback: ({ values }) => {
          const kept = Object.entries(values).filter(([field]) => !without?.includes(field))
          writeDraft(name, Object.fromEntries(kept), over)
        },
      }),
    [name, subscribe, over, without],
  )
}
