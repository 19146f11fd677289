import { useId, useState, type KeyboardEvent } from 'react'

interface SuggestionsOptions<Item> {
  items: readonly Item[]
  choose: (item: Item) => void
  close: () => void
  /** The first one is chosen by Enter or Tab at once; else an arrow comes before, so that both keep their meaning. */
  eager?: boolean
}

export interface Suggestions<Item> {
  /** Empty where nothing is suggested. */
  items: readonly Item[]
  /** The place of the one that Enter chooses; -1 for none. */
  active: number
  listId: string
  choose: (item: Item) => void
  /** Begins anew, for other items. */
  restart: () => void
  onKeyDown: (event: KeyboardEvent) => void
  /** For the text box, which keeps the focus. */
  wiring: { 'aria-autocomplete': 'list'; 'aria-controls'?: string; 'aria-activedescendant'?: string }
}

/** The keys of a text box that suggests items in a list below it: arrows move, Enter and Tab choose, Escape closes. */
export function useSuggestions<Item>({
  items,
  choose,
  close,
  eager = false,
}: SuggestionsOptions<Item>): Suggestions<Item> {
  const listId = useId()
  const first = eager ? 0 : -1
  const [active, setActive] = useState(first)
  const at = Math.min(active, items.length - 1)

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

  return {
    items,
    active: at,
    listId,
    choose,
    restart: () => setActive(first),
    onKeyDown,
    wiring: {
      'aria-autocomplete': 'list',
      ...(items.length > 0 && { 'aria-controls': listId }),
      ...(at >= 0 && { 'aria-activedescendant': `${listId}-${at}` }),
    },
  }
}
