import { cx } from '@/lib/cx'
import { CircledMark } from './circled-mark'
import { pageNumbers } from './page-numbers'

interface PagesProps {
  page: number
  totalPages: number
  onPage: (page: number) => void
  /** The user points at a page: its data can be prefetched. */
  onIntent?: (page: number) => void
  /** The navigation's accessible name. */
  label?: string
}

const stepClass =
  'min-h-11 rounded-control px-4 font-semibold hover:bg-line/60 aria-disabled:text-soft aria-disabled:opacity-60 aria-disabled:hover:bg-transparent'

/** Prev, numbered pages, Next; nothing where all fits on one page. The current number wears the pen's circle. */
export function Pages({ page, totalPages, onPage, onIntent, label = 'Pages' }: PagesProps) {
  const leadingTo = (number: number) => {
    // Not `disabled`, so that it keeps the focus at the last page.
    if (number < 1 || number > totalPages) return { 'aria-disabled': true }
    const onClick = () => onPage(number)
    if (number === page) return { onClick }
    const warm = () => onIntent?.(number)
    return { onClick, onPointerEnter: warm, onFocus: warm }
  }
  // Nowhere to go: nothing to offer.
  if (totalPages < 2) return null
  return (
    <nav aria-label={label} className="mt-8 flex flex-wrap items-center justify-center gap-1">
      <button type="button" className={stepClass} {...leadingTo(page - 1)}>
        Prev
      </button>
      {pageNumbers(page, totalPages).map((number, i) =>
        number === null ? (
          // oxlint-disable-next-line react/no-array-index-key -- an ellipsis has no other identity than its place
          <span key={`gap-${i}`} className="px-1 text-soft">
            …
          </span>
        ) : (
          <button
            key={number}
            type="button"
            aria-current={number === page ? 'page' : undefined}
            {...leadingTo(number)}
            className={cx(
              'min-h-11 min-w-11 rounded-control font-display font-semibold tabular-nums',
              number !== page && 'hover:bg-line/60',
            )}
          >
            {number === page ? <CircledMark seed={`page ${number}`}>{number}</CircledMark> : number}
          </button>
        ),
      )}
      <button type="button" className={stepClass} {...leadingTo(page + 1)}>
        Next
      </button>
    </nav>
  )
}
