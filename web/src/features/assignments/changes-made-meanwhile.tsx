import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@/components/ui'
import { labels, type AssignmentFormValues } from './form-schema'

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

/** Values saved elsewhere since the form was opened; the user chooses where both changed a field. */
export default function ChangesMadeMeanwhile({ taken, clashes, onTake }: ChangedMeanwhileProps) {
  const names = taken.map((field) => labels[field]()).join(', ')
  return (
    <div className="grid gap-3 rounded-control border border-edge border-s-4 border-s-highlighter bg-raised p-4 text-sm">
      <p className="font-semibold">{t`This assignment has been changed in another window.`}</p>
      {taken.length > 0 && (
        <p>
          <Trans>{names}: the form now shows the saved version. Your other changes are kept.</Trans>
        </p>
      )}
      {clashes.length > 0 && (
        <ul className="grid gap-3">
          {clashes.map((clash) => (
            <li key={clash.field} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <span className="min-w-0">
                <SavedElsewhere {...clash} />
              </span>
              <Button variant="quiet" size="sm" onClick={() => onTake(clash)}>
                {t`Use the saved one`}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The values of fields that are a choice. */
const choices = (): Partial<Record<Clash['field'], Record<string, string>>> => ({
  level: { easy: t`easy`, medium: t`medium`, hard: t`hard` },
  lateLinks: { yes: t`yes`, no: t`no` },
  markBy: { model: t`model`, average: t`average`, median: t`median` },
})

/** A value of a field in words. */
function wordsOf({ field, saved }: Clash): string {
  if (typeof saved === 'string') return choices()[field]?.[saved] ?? saved
  return saved.criteria.map(({ title }) => title).join(', ') || t`none`
}

function SavedElsewhere({ field, saved }: Clash) {
  const name = labels[field]()
  const value = <bdi className="line-clamp-2 font-semibold wrap-anywhere">{wordsOf({ field, saved })}</bdi>
  return (
    <Trans>
      {name}: you changed it too. The saved value is {value}
    </Trans>
  )
}
