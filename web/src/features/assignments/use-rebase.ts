import { useEffect, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Clash } from './changes-made-meanwhile'
import { fields, isSame, valuesOf, type AssignmentFormValues } from './form-schema'
import type { Assignment } from '@/entities/assignment/queries'

type Field = keyof AssignmentFormValues

interface Rebase {
  /** The version that the form changes. */
  base: Assignment | undefined
  /** Fields that show a value saved elsewhere. */
  taken: readonly Field[]
  /** Fields that were changed here and elsewhere: they show the typed value. */
  clashes: readonly Clash[]
}

/**
 * Keeps an open form over the newest version of its assignment. An untouched field takes the value saved elsewhere; a
 * changed one keeps its text. Both are reported.
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
    for (const field of taken) put(setValue, field, valuesOf(base)[field])
  }, [base, taken, setValue])

  return {
    base,
    taken,
    clashes,
    take: ({ field, saved }) => {
      put(setValue, field, saved)
      setState((before) => ({ ...before, clashes: before.clashes.filter((clash) => clash.field !== field) }))
      setFocus(field)
    },
  }
}

/** A field array hears of changes of the array itself, not of its parent. */
function put(
  setValue: UseFormReturn<AssignmentFormValues>['setValue'],
  field: Field,
  value: AssignmentFormValues[Field],
): void {
  if (typeof value === 'string') setValue(field, value, { shouldDirty: true })
  else setValue('rubric.criteria', value.criteria, { shouldDirty: true })
}

function rebased(
  { clashes }: Rebase,
  was: AssignmentFormValues,
  newest: Assignment,
  typed: AssignmentFormValues,
): Rebase {
  const is = valuesOf(newest)
  const changed = fields.filter((field) => !isSame(is[field], was[field]))
  const both = changed.filter(
    (field) => !isSame(typed[field], was[field]) && !isSame(typed[field], is[field]),
  )
  return {
    base: newest,
    taken: changed.filter((field) => isSame(typed[field], was[field])),
    clashes: [
      ...clashes.filter(({ field }) => !both.includes(field)),
      ...both.map((field) => ({ field, saved: is[field] })),
    ],
  }
}
