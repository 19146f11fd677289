import { useQuery } from '@tanstack/react-query'
import { Select } from '@/components/ui'
import { useHydrated } from '@/lib/use-hydrated'
import { publishableQuery } from './queries'

interface ForFieldProps {
  /** The id of a circle; empty for the hall. */
  value: string
  onChange: (circle: string) => void
}

/** For whom an assignment is. Users who can publish in no circle are not asked. */
export function ForField({ value, onChange }: ForFieldProps) {
  // The circles are not in the first HTML.
  const hydrated = useHydrated()
  const { data: circles } = useQuery({ ...publishableQuery, enabled: hydrated })
  const isKnown = value === '' || circles?.some(({ _id }) => _id === value)
  if (!hydrated || (value === '' && !circles?.length)) return null
  return (
    <Select
      label="For"
      hint={
        value
          ? 'Only the members of this circle see it. It stays in this circle.'
          : 'Every user and visitor sees it.'
      }
      value={value}
      error={circles && !isKnown ? 'You cannot publish in that circle. Choose for whom it is.' : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {!isKnown && <option value={value}>{circles ? 'Choose…' : 'Loading…'}</option>}
      <option value="">Everybody</option>
      {circles?.map(({ _id, name }) => (
        <option key={_id} value={_id}>
          {name}
        </option>
      ))}
    </Select>
  )
}
