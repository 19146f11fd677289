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
 * For whom an assignment is. Users who can publish in no circle are not asked. Where the hall takes nothing new,
 * the first circle is chosen until the user chooses another.
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
  if (value === '' && !circles?.length) return null
  return (
    <Select
      label={t`For`}
      hint={
        value
          ? t`Only the members of this circle see it. It stays in this circle.`
          : t`Every user and visitor sees it.`
      }
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
