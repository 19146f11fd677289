import { useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { writeDraft } from './drafts'

/** Keeps what is typed into the form under a name, leaving out what must not be kept. */
export function useDraft<T extends FieldValues>(
  name: string,
  form: UseFormReturn<T>,
  without: readonly string[] = [],
): void {
  const { subscribe } = form
  useEffect(
    () =>
      subscribe({
        formState: { values: true, isDirty: true },
        callback: ({ values }) => {
          const kept = Object.entries(values).filter(([field]) => !without.includes(field))
          writeDraft(name, Object.fromEntries(kept))
        },
      }),
    [name, subscribe, without],
  )
}
