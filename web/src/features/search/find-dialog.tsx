import { plural, t } from '@lingui/core/macro'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { AppLink, Button, Dialog, DialogActions, ErrorState, SearchField } from '@/components/ui'
import { searchQuery, type SearchResults } from '@/entities/search/queries'
import { explain } from '@/lib/problem'
import { queryClient } from '@/lib/query-client'
import { groupsOf, type Group } from './groups'

/** After this time without a key, the words are searched for. */
const pauseMs = 150

/**
 * Searches all that the user may see, while they type. It brings the query cache, which pages without data do not have.
 */
export default function FindDialog({ onClose }: { onClose: () => void }) {
  return (
    <QueryClientProvider client={queryClient}>
      <Dialog title={t`Find anything`} onClose={onClose}>
        <Finder onClose={onClose} />
      </Dialog>
    </QueryClientProvider>
  )
}

function Finder({ onClose }: { onClose: () => void }) {
  const box = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [wanted, setWanted] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setWanted(typed), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const { data, error, isPlaceholderData, refetch } = useQuery(searchQuery(wanted))
  const found = wanted ? data : undefined
  const groups = found ? groupsOf(found, wanted) : []
  const answered = found !== undefined && !isPlaceholderData && typed === wanted

  /** Arrows move through the box and the links, Enter in the box goes to the first link, Escape closes a full box too. */
  function onKeyDown(event: KeyboardEvent) {
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const stops = [box.current, ...links]
    const at = stops.findIndex((stop) => stop === document.activeElement)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') {
      // What is open below stays.
      event.stopPropagation()
      onClose()
    } else if (step) stops[(at + step + stops.length) % stops.length]?.focus()
    else if (event.key !== 'Enter' || at !== 0) return
    else if (answered) links[0]?.click()
    else setWanted(typed)
    event.preventDefault()
  }

  return (
    // The keys are those of the box and the links in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={onKeyDown}>
      <SearchField
        label={t`Words of a title, a circle or a friend’s name`}
        value=""
        placeholder={t`Tides`}
        box={box}
        onClear={() => setTyped('')}
        onType={setTyped}
        first
      />
      <div ref={list} className="mt-4 min-h-72 max-sm:min-h-[calc(90dvh-18rem)]">
        <p role="status" className={groups.length > 0 ? 'sr-only' : 'text-soft'}>
          {answered && countOf(found)}
        </p>
        {!typed && <p className="text-soft max-sm:hidden">{t`From any page, press / to come here.`}</p>}
        {groups.map((group) => (
          <Results key={group.title} {...group} onOpen={onClose} />
        ))}
        {error && !found && <ErrorState message={explain(error)} onRetry={() => void refetch()} />}
      </div>
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          {t`Close`}
        </Button>
      </DialogActions>
    </div>
  )
}

function countOf({ assignments, circles, submissions }: SearchResults): string {
  const count = assignments.length + circles.length + submissions.length
  if (count === 0) return t`Nothing that you may see has these words.`
  return plural(count, { one: '# result', other: '# results' })
}

function Results({ title, rows, all, onOpen }: Group & { onOpen: () => void }) {
  return (
    <section className="mb-4">
      <h3 className="mb-1 text-sm font-semibold text-soft">{title}</h3>
      <ul className="-mx-3">
        {rows.map(({ key, to, text, beside }) => (
          <li key={key}>
            <AppLink
              to={to}
              onClick={onOpen}
              className="flex min-h-11 flex-wrap items-center gap-x-3 rounded-control px-3 py-1 hover:bg-line/60 focus:bg-line/60"
            >
              <bdi className="font-semibold wrap-anywhere">{text}</bdi>
              {beside && <bdi className="text-sm text-soft wrap-anywhere">{beside}</bdi>}
            </AppLink>
          </li>
        ))}
      </ul>
      {all && (
        <AppLink to={all.to} onClick={onOpen} className="link inline-flex min-h-11 items-center">
          {all.text}
        </AppLink>
      )}
    </section>
  )
}
