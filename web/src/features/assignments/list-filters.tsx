import { t } from '@lingui/core/macro'
import { useEffect, useRef, type FormEvent } from 'react'
import { Button, SearchField, SearchIcon, Select, ToggleSwitch } from '@/components/ui'
import { isPersonal, type ListQuery } from '@/entities/assignment/list-query'
import { setCompact, useCompact } from '@/lib/list-look'

/**
 * Level, state, order and search. Each starts at page 1 again; the selects apply at once, the level with what the search box
 * shows, the search when it is sent. A search looks through all: it ends the state, and keeps it waiting until it is
 * cleared.
 */
export function ListFilters({ query, onChange }: { query: ListQuery; onChange: (query: ListQuery) => void }) {
  const box = useRef<HTMLInputElement>(null)
  const compact = useCompact()
  // Two choices before the first list arrives both apply.
  const asked = useRef(query)
  const { page, level, state, sort, search } = query
  useEffect(() => {
    asked.current = { page, level, state, sort, search }
  }, [page, level, state, sort, search])
  function ask(change: Partial<ListQuery>) {
    asked.current = { ...asked.current, ...change, page: 1 }
    onChange(asked.current)
  }
  const choose = (wanted: ListQuery['level']) => {
    const words = box.current?.value.trim() ?? ''
    ask({ level: wanted, search: words, ...(words && { state: '', sort: '' }) })
  }
  const searching = query.search !== ''

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    choose(asked.current.level)
  }
  function show(wanted: ListQuery['state']) {
    if (box.current) box.current.value = ''
    ask({ state: wanted, search: '', ...(wanted && { sort: '' }) })
  }
  /** The list of assignments that are due soon is sorted by due date. */
  function order(wanted: string) {
    if (wanted === 'due') show('due-soon')
    else ask({ sort: wanted === 'oldest' ? 'oldest' : '', state: '' })
  }
  return (
    <search className="mt-5 mb-2 grid sm:mt-8 grid-cols-2 items-end gap-x-4 gap-y-3 sm:grid-cols-3 lg:grid-cols-[9.5rem_9.5rem_11rem_minmax(0,1fr)]">
      <Select
        label={t`Level`}
        value={query.level}
        onChange={(event) => choose(event.currentTarget.value as ListQuery['level'])}
      >
        <option value="">{t`All Levels`}</option>
        <option value="easy">{t`Easy`}</option>
        <option value="medium">{t`Medium`}</option>
        <option value="hard">{t`Hard`}</option>
      </Select>
      <Select
        label={t`Show`}
        value={query.state}
        disabled={searching}
        onChange={(event) => show(event.currentTarget.value as ListQuery['state'])}
      >
        <option value="">{t`All`}</option>
        <option value="open">{t`Not taken`}</option>
        <option value="pending">{t`Handed in`}</option>
        <option value="graded">{t`Graded`}</option>
        <option value="mine">{t`Mine`}</option>
        <option value="due-soon">{t`Due soon`}</option>
      </Select>
      <Select
        label={t`Sort`}
        className="max-sm:col-span-2"
        value={query.state === 'due-soon' ? 'due' : query.sort}
        disabled={searching || isPersonal(query.state)}
        onChange={(event) => order(event.currentTarget.value)}
      >
        <option value="">{t`Newest first`}</option>
        <option value="oldest">{t`Oldest first`}</option>
        <option value="due">{t`Due in 14 days`}</option>
      </Select>
      <form onSubmit={send} className="flex items-end gap-3 max-lg:col-span-full">
        <SearchField
          label={t`Search assignments`}
          value={query.search}
          placeholder={t`A title, a topic or a friend’s name`}
          box={box}
          onClear={() => query.search && choose(asked.current.level)}
          className="min-w-0 flex-1 basis-36"
        />
        <Button type="submit" variant="quiet">
          <SearchIcon />
          {t`Search`}
        </Button>
      </form>
      <div className="col-span-full -mt-1 grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-4">
        {/* Its line is reserved, so that nothing moves when it appears. */}
        <p role="status" className="text-sm text-soft">
          {query.search && t`A search covers all assignments. Clear it to choose what to show.`}
        </p>
        <ToggleSwitch label={t`Compact list`} checked={compact} onChange={setCompact} />
      </div>
    </search>
  )
}
