import { useEffect, useEffectEvent } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { followDraft, leaveDraft, writeDraft } from './drafts'

interface DraftOptions {
  /** The version of what the form changes; a draft over another version is not used. */
  over?: string | undefined
  /** Fields that must not be kept. */
  without?: readonly string[] | undefined
}

/**
 * Keeps the form's values as a draft of that name, if it has one. What another tab types into the same form shows here,
 * too, and once it is sent there, the form here begins anew with `first`: both until something is typed here.
 */
export function useDraft<T extends FieldValues>(
  name: string | undefined,
  form: UseFormReturn<T>,
  first: Partial<T>,
  { over = '', without }: DraftOptions = {},
): void {
  const { subscribe } = form
  const keptOf = (values: T) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => !without?.includes(field)))
  const write = useEffectEvent((values: T) => {
    if (name !== undefined) writeDraft(name, keptOf(values), over)
  })
  const follow = useEffectEvent((values: object | null, before: object | null) => {
    const now = form.getValues()
    // What is dropped there and was changed here meanwhile stays.
    if (!values && !isSame(before, keptOf(now))) return
    form.reset({ ...now, ...(values ?? first) }, { keepDefaultValues: true, keepErrors: true })
  })
  useEffect(() => {
    if (name === undefined) return undefined
    let isFollowing = false
    let isTyped = false // what is typed here stays, whatever another tab types
    const stopFollowing = followDraft(name, over, (values, before) => {
      if (isTyped) return
      isFollowing = true
      follow(values, before)
      isFollowing = false
    })
    const stop = subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => {
        if (isFollowing) return
        isTyped ||= isDirty ?? false
        write(values)
      },
    })
    return () => {
      stop()
      stopFollowing()
      leaveDraft(name)
    }
  }, [name, over, subscribe])
}

const isSame = (one: object | null, other: object) => JSON.stringify(one) === JSON.stringify(other)
