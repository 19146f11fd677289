import { cx } from '@/lib/cx'
import type { Mentions } from './use-mentions'

/** The people to mention, below the text box. */
export function MentionList({ mentions: { people, active, listId, choose } }: { mentions: Mentions }) {
  if (people.length === 0) return null
  return (
    <div
      id={listId}
      role="listbox"
      aria-label="People to mention"
      className="absolute inset-x-0 top-full z-10 mt-1 max-h-64 overflow-auto rounded-control border border-line bg-raised shadow-lift"
    >
      {people.map((person, index) => (
        // The keys are the text box's, which keeps the focus.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={person.authorId}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === active}
          onPointerDown={(event) => {
            event.preventDefault()
            choose(person)
          }}
          className={cx('min-h-11 px-3 py-2 wrap-anywhere', index === active && 'bg-line/60')}
        >
          <bdi>{person.displayName}</bdi>
        </div>
      ))}
    </div>
  )
}
