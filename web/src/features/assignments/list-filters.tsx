import { useEffect, useRef, type FormEvent } from 'react'
import { Button, CloseIcon, Field, SearchIcon, Select, controlClass } from '@/components/ui'
import { cx } from '@/lib/cx'
import type { ListQuery } from './list-query'

/**
 * Level and search. Both start at page 1 again; the level applies at once, with what the search box shows, the search
 * when it is sent.
 */
export function ListFilters({ query, onChange }: { query: ListQuery; onChange: (query: ListQuery) => void }) {
  const box = useRef<HTMLInputElement>(null)
  const choose = (level: ListQuery['level']) =>
    onChange({ page: 1, level, search: box.current?.value.trim() ?? '' })

  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    choose(query.level)
  }
  /** Shows all again where something was searched for. */
  function clear() {
    if (!box.current) return
    box.current.value = ''
    box.current.focus()
    if (query.search) choose(query.level)
  }
  // Back and links change it too. The box stays the same element, and keeps the focus.
  const shown = useRef(query.search)
  useEffect(() => {
    if (!box.current || shown.current === query.search) return
    shown.current = box.current.value = query.search
  }, [query.search])
  return (
    <search className="my-8 grid items-end gap-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <Select
        label="Level"
        value={query.level}
        onChange={(event) => choose(event.currentTarget.value as ListQuery['level'])}
      >
        <option value="">All Levels</option>
        <option value="easy">Easy</option>
        <option value="medium">Medium</option>
        <option value="hard">Hard</option>
      </Select>
      <form onSubmit={search} className="flex flex-wrap items-end gap-3">
        <Field label="Search assignments" className="min-w-0 flex-1 basis-36">
          {(wiring) => (
            <div className="relative">
              <input
                {...wiring}
                ref={box}
                type="search"
                name="search"
                maxLength={200}
                defaultValue={query.search}
                enterKeyHint="search"
                placeholder="A title, a topic or a friend’s name"
                className={cx(controlClass, 'peer pe-11 text-ellipsis')}
              />
              <button
                type="button"
                aria-label="Clear"
                onClick={clear}
                className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-control text-soft peer-placeholder-shown:hidden hover:text-ink"
              >
                <CloseIcon />
              </button>
            </div>
          )}
        </Field>
        <Button type="submit" variant="quiet">
          <SearchIcon />
          Search
        </Button>
      </form>
    </search>
  )
}
