import { useEffect, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Clash } from './changed-meanwhile'
import { fields, valuesOf, type AssignmentFormValues } from './form-schema'
import type { Assignment } from './queries'

type Field = keyof AssignmentFormValues

interface Rebase {
  /** The version that the form changes. */
  base: Assignment | undefined
  /** Fields that show what was saved elsewhere. */
  taken: readonly Field[]
  /** Fields that were changed here and elsewhere: they show what was typed. */
  clashes: readonly Clash[]
}

/**
 * Keeps an open form over the newest version of what it changes. A field that was not touched follows what was
 * saved elsewhere; one that was keeps what was typed, and both are told of.
 */
export function useRebase(
  form: UseFormReturn<AssignmentFormValues>,
  newest: Assignment | undefined,
  paused: boolean,
): Rebase & { take: (clash: Clash) => void } {
  const { getValues, setValue, setFocus } = form
  const [state, setState] = useState<Rebase>({ base: newest, taken: [], clashes: [] })
  const { base, taken, clashes } = state
  if (!paused && base && newest && newest.updatedAt !== base.updatedAt) {
    setState(rebased(state, valuesOf(base), newest, getValues()))
  }
  useEffect(() => {
    if (!base) return
    for (const field of taken) setValue(field, valuesOf(base)[field])
  }, [base, taken, setValue])

  return {
    base,
    taken,
    clashes,
    take: ({ field, saved }) => {
      setValue(field, saved, { shouldDirty: true })
      setState((before) => ({ ...before, clashes: before.clashes.filter((clash) => clash.field !== field) }))
      setFocus(field)
    },
  }
}

function rebased(
  { clashes }: Rebase,
  was: AssignmentFormValues,
  newest: Assignment,
  typed: AssignmentFormValues,
): Rebase {
  const is = valuesOf(newest)
  const changed = fields.filter((field) => is[field] !== was[field])
  const both = changed.filter((field) => typed[field] !== was[field] && typed[field] !== is[field])
  return {
    base: newest,
    taken: changed.filter((field) => typed[field] === was[field]),
    clashes: [
      ...clashes.filter(({ field }) => !both.includes(field)),
      ...both.map((field) => ({ field, saved: is[field] })),
    ],
  }
}
