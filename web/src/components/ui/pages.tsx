import { t } from '@lingui/core/macro'
import type { MouseEvent, ReactNode } from 'react'
import { cx } from '@/lib/cx'
import { AppLink } from './app-link'
import { CircledMark } from './circled-mark'
import { pageNumbers } from './page-numbers'

interface PagesProps {
  page: number
  totalPages: number
  /** The address of a page. Pages without one, as in a list that the page's own state turns, are buttons. */
  addressOf?: (page: number) => string
  /** The user goes to a page here. */
  onPage: (page: number) => void
  /** The user points at a page: its data can be prefetched. */
  onIntent?: ((page: number) => void) | undefined
  /** The page stays scrolled as it is: the list is a part of it. */
  part?: boolean
  /** The navigation's accessible name. */
  label?: string
}

const stepClass =
  'inline-flex min-h-11 items-center rounded-control px-4 font-semibold hover:bg-line/60 aria-disabled:text-soft aria-disabled:opacity-60 aria-disabled:hover:bg-transparent'

const numberClass =
  'inline-flex min-h-11 min-w-11 items-center justify-center rounded-control font-display font-semibold tabular-nums'

/** Prev, numbered pages, Next; nothing where all fit on one page. The current number wears the pen's circle. */
export function Pages(props: PagesProps) {
  const { page, totalPages, label = t`Pages` } = props
  // Nowhere to go: nothing to offer.
  if (totalPages < 2) return null
  return (
    <nav aria-label={label} className="mt-8 flex flex-wrap items-center justify-center gap-1">
      <Step {...props} to={page - 1} className={stepClass}>
        {t`Prev`}
      </Step>
      {pageNumbers(page, totalPages).map((number, i) =>
        number === null ? (
          // oxlint-disable-next-line react/no-array-index-key -- an ellipsis has no other identity than its place
          <span key={`gap-${i}`} className="px-1 text-soft">
            …
          </span>
        ) : (
          <Step
            {...props}
            key={number}
            to={number}
            className={cx(numberClass, number !== page && 'hover:bg-line/60')}
          >
            {number === page ? <CircledMark seed={`page ${number}`}>{number}</CircledMark> : number}
          </Step>
        ),
      )}
      <Step {...props} to={page + 1} className={stepClass}>
        {t`Next`}
      </Step>
    </nav>
  )
}

interface StepProps extends PagesProps {
  to: number
  className: string
  children: ReactNode
}

function Step({ to, page, totalPages, addressOf, onPage, onIntent, part, className, children }: StepProps) {
  const looks = { className, 'aria-current': to === page ? ('page' as const) : undefined }
  const warm = to === page ? undefined : () => onIntent?.(to)
  if (to < 1 || to > totalPages) {
    return addressOf ? (
      <span role="link" aria-disabled="true" className={className}>
        {children}
      </span>
    ) : (
      // Not `disabled`, so that it keeps the focus at the last page.
      <button type="button" aria-disabled="true" className={className}>
        {children}
      </button>
    )
  }
  if (!addressOf) {
    return (
      <button type="button" {...looks} onClick={() => onPage(to)} onPointerEnter={warm} onFocus={warm}>
        {children}
      </button>
    )
  }
  // With a key held down it opens elsewhere, and this page stays.
  const turn = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) => {
    if (!ctrlKey && !metaKey && !shiftKey && !altKey) onPage(to)
  }
  return (
    <AppLink
      to={addressOf(to)}
      {...looks}
      preventScrollReset={part}
      onClick={turn}
      onPointerOver={warm}
      onFocusCapture={warm}
      className={cx(className, 'text-ink no-underline')}
    >
      {children}
    </AppLink>
  )
}
