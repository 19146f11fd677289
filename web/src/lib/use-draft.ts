import { useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { writeDraft } from './drafts'

interface DraftOptions {
  /** The version of what the form changes; a draft over another version is not used. */
  over?: string | undefined
  /** Fields that must not be kept. */
  without?: readonly string[] | undefined
}

/** Keeps the form's values as a draft of that name, if it has one. */
export function useDraft<T extends FieldValues>(
  name: string | undefined,
  form: UseFormReturn<T>,
  { over, without }: DraftOptions = {},
): void {
  const { subscribe } = form
  useEffect(() => {
    if (name === undefined) return undefined
    return subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values }) => {
        const kept = Object.entries(values).filter(([field]) => !without?.includes(field))
        writeDraft(name, Object.fromEntries(kept), over)
      },
    })
  }, [name, subscribe, over, without])
}
