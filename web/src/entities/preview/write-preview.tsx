import { t } from '@lingui/core/macro'
import type { KeyboardEvent, ReactNode } from 'react'
import { cx } from '@/lib/cx'
import type { Previewed } from './preview-query'
import { lazyView } from '@/components/ui/lazy'

/** Its code is fetched when the preview is opened. */
const ServerPreview = lazyView(() => import('./server-preview'), { label: () => t`Loading the preview` })

const tabs = ['write', 'preview'] as const
export type WriteTab = (typeof tabs)[number]

const names = (): Record<WriteTab, string> => ({ write: t`Write`, preview: t`Preview` })

interface TabsProps {
  /** Joins tabs and panels. */
  id: string
  tab: WriteTab
}

interface WriteTabsProps extends TabsProps {
  label: string
  onTab: (tab: WriteTab) => void
}

/** Switches a Markdown editor between the text and its preview, which `WritePanels` contains. */
export function WriteTabs({ id, tab, label, onTab }: WriteTabsProps) {
  function onKey(event: KeyboardEvent) {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    onTab(tab === 'write' ? 'preview' : 'write')
    const { parentElement, nextElementSibling } = event.currentTarget
    const other = nextElementSibling ?? parentElement?.firstElementChild
    if (other instanceof HTMLElement) other.focus()
  }
  return (
    <div role="tablist" aria-label={label} className="flex gap-1">
      {tabs.map((one) => (
        <button
          key={one}
          id={`${id}-${one}`}
          type="button"
          role="tab"
          aria-selected={tab === one}
          aria-controls={`${id}-panel-${one}`}
          tabIndex={tab === one ? 0 : -1}
          onClick={() => onTab(one)}
          onKeyDown={onKey}
          className={cx(
            'min-h-11 rounded-control px-3 text-sm font-semibold hover:bg-line/60 md:min-h-9',
            tab === one ? 'bg-line/60' : 'text-soft',
          )}
        >
          {names()[one]}
        </button>
      ))}
    </div>
  )
}

interface WritePanelsProps extends TabsProps {
  of: Previewed
  text: string
  /** The box. */
  children: ReactNode
}

/** The box, or what its text would show as. */
export function WritePanels({ id, tab, of, text, children }: WritePanelsProps) {
  return (
    <>
      <div
        role="tabpanel"
        id={`${id}-panel-write`}
        aria-labelledby={`${id}-write`}
        hidden={tab !== 'write'}
        className="relative"
      >
        {children}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel-preview`}
        aria-labelledby={`${id}-preview`}
        hidden={tab !== 'preview'}
        className="min-h-24 rounded-control border border-line px-3 py-2"
      >
        {tab === 'preview' && <ServerPreview of={of} text={text} />}
      </div>
    </>
  )
}
