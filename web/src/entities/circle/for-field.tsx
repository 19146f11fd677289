import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Select } from '@/components/ui'
import { useAccess } from '@/lib/site'
import { publishableQuery } from './publishable-query'

interface ForFieldProps {
  /** The id of a circle; empty for the hall. */
  value: string
  onChange: (circle: string) => void
}

/**
 * For whom an assignment is. Users who can publish in no circle read it and are not asked; until that is known, the
 * text has the place of the choice, so that nothing moves. Where the hall takes nothing new, the first circle is
 * chosen until the user chooses another.
 */
export function ForField({ value, onChange }: ForFieldProps) {
  const { data: circles } = useQuery(publishableQuery)
  const { hall } = useAccess()
  const forAll = hall === 'on'
  const first = circles?.[0]?._id
  useEffect(() => {
    if (!forAll && value === '' && first) onChange(first)
  })
  const isKnown = (forAll && value === '') || circles?.some(({ _id }) => _id === value)
  const hint =
    value || !forAll
      ? t`Only the members of this circle see it. It stays in this circle.`
      : t`Every user and visitor sees it.`
  if (isKnown && !circles?.length) {
    return (
      <div className="grid gap-1.5">
        <p className="text-sm font-semibold">{t`For`}</p>
        <p className="-mt-1 text-sm text-soft">{hint}</p>
        <p className="flex min-h-11 items-center font-display text-xl font-bold">{t`Everyone`}</p>
      </div>
    )
  }
  return (
    <Select
      label={t`For`}
      hint={hint}
      value={value}
      error={circles && !isKnown ? t`You cannot publish in that circle. Choose another.` : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {!isKnown && <option value={value}>{circles ? t`Choose…` : t`Loading…`}</option>}
      {forAll && <option value="">{t`Everyone`}</option>}
      {circles?.map(({ _id, name }) => (
        <option key={_id} value={_id}>
          {name}
        </option>
      ))}
    </Select>
  )
}
