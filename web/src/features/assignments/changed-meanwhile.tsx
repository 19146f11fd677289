import { lazyView } from '@/components/ui'
import type { AssignmentFormValues } from './form-schema'

const ChangesMadeMeanwhile = lazyView('Loading what was changed', () => import('./changes-made-meanwhile'))

/** A field that somebody saved while it was being changed here. */
export interface Clash {
  field: keyof AssignmentFormValues
  saved: AssignmentFormValues[keyof AssignmentFormValues]
}

export interface ChangedMeanwhileProps {
  /** What was saved meanwhile, by field; those that were not touched here show it already. */
  taken: readonly (keyof AssignmentFormValues)[]
  clashes: readonly Clash[]
  onTake: (clash: Clash) => void
}

/** Says what was saved elsewhere since the form was opened, and lets one choose where both changed the same. */
export function ChangedMeanwhile(props: ChangedMeanwhileProps) {
  const { taken, clashes } = props
  return <div role="status">{taken.length + clashes.length > 0 && <ChangesMadeMeanwhile {...props} />}</div>
}
