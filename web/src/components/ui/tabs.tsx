import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { cx } from '@/lib/cx'
import { forwardKey } from '@/lib/direction'
import { AppLink } from './app-link'

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

interface Tab<Name extends string> {
  name: Name
  label: string
  /** Its address. */
  to: string
}

interface TabsProps<Name extends string> {
  /** The accessible name of the row. */
  label: string
  tabs: readonly Tab<Name>[]
  /** The open tab. */
  open: Name
}

/** The parts of a page, one of which shows in its TabPanel. Each has an address. */
export function Tabs<Name extends string>({ label, tabs, open }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null)
  // A narrow window has no room for all of them: the open one is in sight.
  useEffect(() => {
    const row = list.current
    const shown = row?.querySelector<HTMLElement>('[aria-selected=true]')
    if (row && shown) row.scrollLeft = shown.offsetLeft - (row.clientWidth - shown.offsetWidth) / 2
  }, [open])
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      className="relative -mx-4 flex gap-1 overflow-x-auto border-b border-line px-4 [scrollbar-width:none] sm:mx-0 sm:px-0 print:hidden"
    >
      {tabs.map(({ name, label: text, to }) => (
        <AppLink
          key={name}
          id={`tab-${name}`}
          role="tab"
          to={to}
          preventScrollReset
          aria-selected={name === open}
          aria-controls={name === open ? 'tab-panel' : undefined}
          tabIndex={name === open ? 0 : -1}
          onKeyDown={onKey}
          className={cx(
            'flex min-h-11 shrink-0 items-center border-b-3 px-3 font-semibold no-underline focus-visible:-outline-offset-3',
            name === open ? 'border-green text-green' : 'border-transparent text-soft hover:text-ink',
          )}
        >
          {text}
        </AppLink>
      ))}
    </div>
  )
}

interface TabPanelProps {
  /** The open tab. */
  open: string
  className?: string
  children: ReactNode
}

/** What the open tab shows. */
export function TabPanel({ open, className, children }: TabPanelProps) {
  return (
    <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${open}`} className={className}>
      {children}
    </div>
  )
}
