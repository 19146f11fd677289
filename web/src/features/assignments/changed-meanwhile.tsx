import { t } from '@lingui/core/macro'
import { lazyView } from '@/components/ui'
import type { ChangedMeanwhileProps } from './changes-made-meanwhile'

const ChangesMadeMeanwhile = lazyView(() => import('./changes-made-meanwhile'), {
  label: () => t`Loading what was changed`,
})

/** Shows changes saved elsewhere since the form was opened, and lets the user choose where both changed a field. */
export function ChangedMeanwhile(props: ChangedMeanwhileProps) {
  const { taken, clashes } = props
  return <div role="status">{taken.length + clashes.length > 0 && <ChangesMadeMeanwhile {...props} />}</div>
}
