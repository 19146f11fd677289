import { useId, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { cx } from '@/lib/cx'

interface Begun {
  box: RefObject<HTMLTextAreaElement | null>
  /** What is typed; '' where there is nothing to complete. */
  begun: string
  /** The same at this moment: composed and pasted text may be unseen yet. */
  begunNow: () => string
  /** Looks again, and reports whether it is another text. */
  look: () => boolean
  close: () => void
}

/**
 * What is typed right before the caret: the first group of `typed`, which a chosen item replaces. `isDone` reports
 * whether what begins at a place is complete.
 */
export function useBegun(
  box: Begun['box'],
  typed: RegExp,
  isDone: (from: number) => boolean = () => false,
): Begun {
  const [begun, setBegun] = useState('')
  const begunNow = () => {
    const { value = '', selectionStart = 0 } = box.current ?? {}
    const text = typed.exec(value.slice(0, selectionStart))?.[1] ?? ''
    return isDone(selectionStart - text.length) ? '' : text
  }
  const look = () => {
    const now = begunNow()
    setBegun(now)
    return now !== begun
  }
  return { box, begun, begunNow, look, close: () => setBegun('') }
}

interface CompletionOptions<Item> {
  /** The accessible name of the list. */
  label: string
  items: readonly Item[]
  textOf: (item: Item) => string
  /** What tells it from others with the same text. */
  noteOf?: (item: Item) => ReactNode
  /** The text that stands for the item; no two have the same. */
  insertionOf: (item: Item) => string
  onText: (text: string) => void
  /** Enter and Tab choose the first item at once; otherwise an arrow comes before, so that both keep their meaning. */
  eager?: boolean
}

interface Completion {
  /** For the text box, which keeps the focus. */
  wiring: {
    'aria-autocomplete': 'list'
    'aria-controls'?: string
    'aria-activedescendant'?: string
    onSelect: () => void
    onInput: () => void
  }
  onKeyDown: (event: KeyboardEvent) => void
  close: () => void
  /** For the end of the box's positioned parent. */
  list: ReactNode
}

/** Suggests items below a text box while one is typed: arrows move, Enter and Tab choose, Escape closes. */
export function useCompletion<Item>(
  { box, begun, begunNow, look, close }: Begun,
  { label, items: found, textOf, noteOf, insertionOf, onText, eager = false }: CompletionOptions<Item>,
): Completion {
  const listId = useId()
  const first = eager ? 0 : -1
  const [active, setActive] = useState(first)
  const items = begun ? found : []
  const at = Math.min(active, items.length - 1)

  function choose(item: Item) {
    const { value = '', selectionStart: caret = 0 } = box.current ?? {}
    const after = value.slice(caret)
    onText(value.slice(0, caret - begunNow().length) + insertionOf(item) + after)
    close()
    requestAnimationFrame(() => {
      if (!box.current) return
      // The box may show the insertion in other words.
      const end = box.current.value.length - after.length
      box.current.focus()
      box.current.setSelectionRange(end, end)
    })
  }

  function onKeyDown(event: KeyboardEvent) {
    const { length } = items
    if (length === 0) return
    const item = items[at]
    if (event.key === 'ArrowDown') setActive((at + 1) % length)
    else if (event.key === 'ArrowUp') setActive(at > 0 ? at - 1 : length - 1)
    else if ((event.key === 'Enter' || event.key === 'Tab') && item !== undefined) choose(item)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const list = items.length > 0 && (
    <div
      id={listId}
      role="listbox"
      aria-label={label}
      className="absolute inset-x-0 top-full z-10 mt-1 max-h-64 overflow-auto rounded-control border border-line bg-raised shadow-lift"
    >
      {items.map((item, index) => (
        // The keys are the text box's, which keeps the focus.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={insertionOf(item)}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === at}
          onPointerDown={(event) => {
            event.preventDefault()
            choose(item)
          }}
          className={cx('min-h-11 px-3 py-2 wrap-anywhere', index === at && 'bg-line/60')}
        >
          <bdi>{textOf(item)}</bdi>
          {noteOf?.(item)}
        </div>
      ))}
    </div>
  )
  const lookAgain = () => {
    if (look()) setActive(first)
  }
  return {
    wiring: {
      'aria-autocomplete': 'list',
      ...(items.length > 0 && { 'aria-controls': listId }),
      ...(at >= 0 && { 'aria-activedescendant': `${listId}-${at}` }),
      onSelect: lookAgain,
      onInput: lookAgain,
    },
    onKeyDown,
    close,
    list,
  }
}
