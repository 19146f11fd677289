import { cx } from '@/lib/cx'
import type { Suggestions } from '@/lib/use-suggestions'

interface SuggestionListProps<Item> {
  label: string
  suggestions: Suggestions<Item>
  keyOf: (item: Item) => string
  textOf: (item: Item) => string
}

/** What a text box suggests, below it. */
export function SuggestionList<Item>({ label, suggestions, keyOf, textOf }: SuggestionListProps<Item>) {
  const { items, active, listId, choose } = suggestions
  if (items.length === 0) return null
  return (
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
          key={keyOf(item)}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === active}
          onPointerDown={(event) => {
            event.preventDefault()
            choose(item)
          }}
          className={cx('min-h-11 px-3 py-2 wrap-anywhere', index === active && 'bg-line/60')}
        >
          <bdi>{textOf(item)}</bdi>
        </div>
      ))}
    </div>
  )
}
