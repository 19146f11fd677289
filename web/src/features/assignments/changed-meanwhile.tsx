import { lazyView } from '@/components/ui'
import type { AssignmentFormValues } from './form-schema'

const ChangesMadeMeanwhile = lazyView('Loading what was changed', () => import('./changes-made-meanwhile'))

/** A field that was saved elsewhere while it was being changed here. */
export interface Clash {
  field: keyof AssignmentFormValues
  saved: AssignmentFormValues[keyof AssignmentFormValues]
}

export interface ChangedMeanwhileProps {
  /** Values saved elsewhere, by field; untouched fields already show them. */
  taken: readonly (keyof AssignmentFormValues)[]
  clashes: readonly Clash[]
  onTake: (clash: Clash) => void
}

/** Shows changes saved elsewhere since the form was opened, and lets the user choose where both changed a field. */
export function ChangedMeanwhile(props: ChangedMeanwhileProps) {
  const { taken, clashes } = props
  return <div role="status">{taken.length + clashes.length > 0 && <ChangesMadeMeanwhile {...props} />}</div>
}
