import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, Select, failed, showConfirm, toast } from '@/components/ui'
import {
  deleteRubric,
  savedRubricsQuery,
  type Criterion,
  type SavedRubric,
} from '@/entities/rubric/saved-rubrics-query'

interface SavedRubricsProps {
  /** The circle of the assignment; empty for none. */
  circle: string
  /** Takes the criteria of a saved rubric in place of the present ones. */
  onUse: (criteria: Criterion[]) => void
}

const none: SavedRubric[] = []

/** Offers the rubrics that the user, or a member of the circle, has saved. */
export function SavedRubrics({ circle, onUse }: SavedRubricsProps) {
  const { data: own = none } = useQuery(savedRubricsQuery(''))
  const { data: shared = none } = useQuery({ ...savedRubricsQuery(circle), enabled: circle !== '' })
  const { mutateAsync } = useMutation(deleteRubric)
  const [chosenId, setChosenId] = useState('')
  const all = circle ? [...own, ...shared] : own
  if (all.length === 0) return null
  const chosen = all.find(({ _id }) => _id === chosenId)

  async function remove({ _id: id, name, circleId }: SavedRubric) {
    const text = circleId
      ? t`Members of the circle can no longer choose it.`
      : t`You can no longer choose it. Assignments that use it keep it.`
    if (!(await showConfirm({ title: t`Delete “${name}”?`, text, confirm: t`Delete`, danger: true }))) return
    try {
      await mutateAsync(id)
      toast(t`Rubric deleted`)
    } catch (error) {
      void failed(error)
    }
  }

  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        label={t`Saved rubric`}
        className="min-w-0 grow sm:max-w-80"
        value={chosen?._id ?? ''}
        onChange={(event) => setChosenId(event.currentTarget.value)}
      >
        <option value="">{t`Choose one…`}</option>
        <RubricOptions label={t`Yours`} rubrics={own} />
        {circle && <RubricOptions label={t`The circle’s`} rubrics={shared} />}
      </Select>
      {chosen && (
        <>
          <Button variant="quiet" onClick={() => onUse(chosen.criteria)}>
            {t`Use it`}
          </Button>
          {chosen.may.delete && (
            <Button variant="plain" className="text-red" onClick={() => remove(chosen)}>
              {t`Delete it`}
            </Button>
          )}
        </>
      )}
    </div>
  )
}

function RubricOptions({ label, rubrics }: { label: string; rubrics: SavedRubric[] }) {
  if (rubrics.length === 0) return null
  return (
    <optgroup label={label}>
      {rubrics.map(({ _id, name }) => (
        <option key={_id} value={_id}>
          {name}
        </option>
      ))}
    </optgroup>
  )
}
