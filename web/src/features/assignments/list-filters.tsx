import type { FormEvent } from 'react'
import { Button, SearchIcon, Select, TextInput } from '@/components/ui'
import type { ListQuery } from './api'

/** Level and search. Both start at page 1 again; the level applies at once, the search when it is sent. */
export function ListFilters({ query, onChange }: { query: ListQuery; onChange: (query: ListQuery) => void }) {
  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const text = new FormData(event.currentTarget).get('search')
    onChange({ ...query, page: 1, search: typeof text === 'string' ? text.trim() : '' })
  }
  return (
    <search className="my-8 grid items-end gap-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <Select
        label="Level"
        value={query.level}
        onChange={(event) =>
          onChange({ ...query, page: 1, level: event.currentTarget.value as ListQuery['level'] })
        }
      >
        <option value="">All Levels</option>
        <option value="easy">Easy</option>
        <option value="medium">Medium</option>
        <option value="hard">Hard</option>
      </Select>
      <form onSubmit={search} className="flex flex-wrap items-end gap-3">
        <TextInput
          key={query.search}
          label="Search assignments"
          type="search"
          name="search"
          maxLength={200}
          defaultValue={query.search}
          enterKeyHint="search"
          className="min-w-44 grow"
        />
        <Button type="submit" variant="quiet">
          <SearchIcon />
          Search
        </Button>
      </form>
    </search>
  )
}
