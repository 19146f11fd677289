import { useEffect, useEffectEvent, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Clash } from './changed-meanwhile'
import { formOf, type AssignmentFormValues } from './form-schema'
import type { Assignment } from './queries'

type Field = keyof AssignmentFormValues

interface Rebase {
  /** The version that the form changes. */
  base: Assignment | undefined
  taken: readonly Field[]
  clashes: readonly Clash[]
  take: (clash: Clash) => void
}

/**
 * Keeps an open form over the newest version of what it changes. A field that was not touched follows what was
 * saved elsewhere; one that was keeps what was typed, and both are told of.
 */
export function useRebase(
  form: UseFormReturn<AssignmentFormValues>,
  newest: Assignment | undefined,
  paused: boolean,
): Rebase {
  const [base, setBase] = useState(newest)
  const [taken, setTaken] = useState<readonly Field[]>([])
  const [clashes, setClashes] = useState<readonly Clash[]>([])

  const rebase = useEffectEvent((before: Assignment, after: Assignment) => {
    const [was, is, typed] = [formOf(before), formOf(after), form.getValues()]
    const changed = (Object.keys(is) as Field[]).filter((field) => is[field] !== was[field])
    const untouched = changed.filter((field) => typed[field] === was[field])
    for (const field of untouched) form.setValue(field, is[field])
    const both = changed.filter((field) => typed[field] !== was[field] && typed[field] !== is[field])
    setBase(after)
    setTaken((earlier) => [...new Set([...earlier, ...untouched])])
    setClashes((earlier) => [
      ...earlier.filter(({ field }) => !both.includes(field)),
      ...both.map((field) => ({ field, saved: is[field] })),
    ])
  })
  useEffect(() => {
    if (!paused && base && newest && newest.updatedAt !== base.updatedAt) rebase(base, newest)
  }, [paused, base, newest])

  return {
    base,
    taken,
    clashes,
    take: ({ field, saved }) => {
      form.setValue(field, saved, { shouldDirty: true })
      setClashes((before) => before.filter((clash) => clash.field !== field))
      form.setFocus(field)
    },
  }
}
