import { t } from '@lingui/core/macro'
import { useRef, type FormEvent } from 'react'
import { Button, SearchField, SearchIcon, Select, TextInput } from '@/components/ui'
import type { MemberQuery } from '@/entities/circle/members'

interface MemberFiltersProps {
  query: MemberQuery
  onChange: (change: Partial<MemberQuery>) => void
}

/** Role, order, label and search. Role and order apply at once, with what the boxes show. */
export function MemberFilters({ query, onChange }: MemberFiltersProps) {
  const box = useRef<HTMLInputElement>(null)
  const labelBox = useRef<HTMLInputElement>(null)
  const ask = (change: Partial<MemberQuery> = {}) =>
    onChange({
      search: box.current?.value.trim() ?? '',
      label: labelBox.current?.value.trim() ?? '',
      ...change,
    })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    ask()
  }
  return (
    <search className="mb-5">
      <form
        onSubmit={send}
        className="grid grid-cols-2 items-end gap-x-4 gap-y-3 md:grid-cols-[9rem_9rem_10rem_minmax(0,1fr)]"
      >
        <Select
          label={t`Role`}
          value={query.role}
          onChange={(event) => ask({ role: event.currentTarget.value as MemberQuery['role'] })}
        >
          <option value="">{t`All roles`}</option>
          <option value="owner">{t`Owners`}</option>
          <option value="organizer">{t`Organizers`}</option>
          <option value="member">{t`Members`}</option>
        </Select>
        <Select
          label={t`Order`}
          value={query.sort}
          onChange={(event) => ask({ sort: event.currentTarget.value as MemberQuery['sort'] })}
          className="max-md:col-span-full"
        >
          <option value="">{t`By joining`}</option>
          <option value="name">{t`By name`}</option>
          <option value="family">{t`By family name`}</option>
        </Select>
        <TextInput
          key={query.label}
          ref={labelBox}
          label={t`Section`}
          maxLength={40}
          autoComplete="off"
          enterKeyHint="search"
          defaultValue={query.label}
        />
        <div className="flex items-end gap-3 max-md:col-span-full">
          <SearchField
            label={t`Search members`}
            value={query.search}
            placeholder={t`A name`}
            box={box}
            onClear={() => query.search && ask()}
            className="min-w-0 flex-1 basis-36"
          />
          <Button type="submit" variant="quiet">
            <SearchIcon />
            {t`Search`}
          </Button>
        </div>
      </form>
    </search>
  )
}
