import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { AppLink } from '@/components/ui'
import { cx } from '@/lib/cx'
import { forwardKey } from '@/lib/direction'
import { oneOf, searchParams, useSearch } from '@/lib/search-params'
import type { Circle } from '@/entities/circle/queries'

const names = () => ({
  assignments: 'Assignments',
  pending: 'Pending',
  members: 'Members',
  marks: 'Marks',
  reports: 'Reports',
  settings: 'Settings',
})

type Tab = keyof ReturnType<typeof names>

/** The tabs that hold something for the viewer. */
export function tabsOf({ role, may, readsMarks }: Circle): readonly Tab[] {
  const tabs: (Tab | false)[] = [
    'assignments',
    may.grade && 'pending',
    'members',
    readsMarks === true && 'marks',
    role !== 'member' && 'reports',
    role === 'owner' && 'settings',
  ]
  return tabs.filter((tab) => tab !== false)
}

const named = oneOf<Tab>('pending', 'members', 'marks', 'reports', 'settings')
const tabParams = searchParams({ tab: (text) => named(text) || 'assignments' })

/** The tab that the address names, or the first one. */
export function useTab(tabs: readonly Tab[]): Tab {
  const [{ tab }] = useSearch(tabParams)
  return tabs.includes(tab) ? tab : 'assignments'
}

/** Keys that move the focus, as in every row of tabs; Enter and Space open a tab. */
function onKey(event: KeyboardEvent<HTMLElement>) {
  const tabs = Array.from(
    event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=tab]') ?? [],
  )
  const at = tabs.indexOf(event.currentTarget)
  const by = forwardKey(event.currentTarget) === 'ArrowRight' ? 1 : -1
  const to: Record<string, number> = {
    ArrowLeft: at - by,
    ArrowRight: at + by,
    Home: 0,
    End: tabs.length - 1,
  }
  const next = to[event.key]
  if (event.key === ' ') event.currentTarget.click()
  else if (next === undefined) return
  else tabs.at(next % tabs.length)?.focus()
  event.preventDefault()
}

interface CircleTabsProps {
  id: string
  tabs: readonly Tab[]
  tab: Tab
}

/** The parts of a circle. Each has an address. */
export function CircleTabs({ id, tabs, tab }: CircleTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  // A narrow window has no room for all of them: the open one is in sight.
  useEffect(() => {
    const row = list.current
    const open = row?.querySelector<HTMLElement>('[aria-selected=true]')
    if (row && open) row.scrollLeft = open.offsetLeft - (row.clientWidth - open.offsetWidth) / 2
  }, [tab])
  return (
    <div
      ref={list}
      role="tablist"
      aria-label="Parts of the circle"
      className="relative -mx-4 mt-6 flex gap-1 overflow-x-auto border-b border-line px-4 [scrollbar-width:none] sm:mx-0 sm:px-0"
    >
      {tabs.map((one) => (
        <AppLink
          key={one}
          id={`tab-${one}`}
          role="tab"
          to={tabParams.address(`/circle/${id}`, { tab: one })}
          preventScrollReset
          aria-selected={one === tab}
          aria-controls={one === tab ? 'tab-panel' : undefined}
          tabIndex={one === tab ? 0 : -1}
          onKeyDown={onKey}
          className={cx(
            'flex min-h-11 shrink-0 items-center border-b-3 px-3 font-semibold no-underline focus-visible:-outline-offset-3',
            one === tab ? 'border-green text-green' : 'border-transparent text-soft hover:text-ink',
          )}
        >
          {names()[one]}
        </AppLink>
      ))}
    </div>
  )
}

/** What the open tab shows. */
export function TabPanel({ tab, children }: { tab: Tab; children: ReactNode }) {
  return (
    <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`} className="mt-6">
      {children}
    </div>
  )
}
