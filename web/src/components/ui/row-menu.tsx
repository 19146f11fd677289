import { t } from '@lingui/core/macro'
import { useId, type ReactNode } from 'react'
import { cx } from '@/lib/cx'
import { useUnfolded } from '@/lib/use-unfolded'
import { Button } from './button'
import { MoreIcon } from './icons'
import type { lazyDialog } from './lazy'

interface RowAction extends Partial<ReturnType<typeof lazyDialog>['opener']> {
  label: string
  /** It takes something away. */
  removes?: boolean
  onChoose: () => void
}

interface RowMenuProps {
  /** The id of what names the row. */
  describedBy: string
  actions: readonly RowAction[]
  /** What the row has no room for, above the actions. */
  children?: ReactNode
}

/** The actions of a row, below a button at its end, to which the focus returns from what they open. */
export function RowMenu({ describedBy, actions, children }: RowMenuProps) {
  const id = useId()
  const { open, unfold, around } = useUnfolded<HTMLDivElement>()
  function choose(onChoose: () => void) {
    around.current?.querySelector('button')?.focus()
    unfold(false)
    onChoose()
  }
  return (
    <div ref={around} className="relative print:hidden">
      <Button
        variant="plain"
        size="sm"
        aria-label={t`Actions`}
        aria-describedby={describedBy}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className={cx('w-11 px-0!', actions.length === 0 && 'lg:hidden')}
        onClick={() => unfold(!open)}
      >
        <MoreIcon />
      </Button>
      {open && (
        <div
          id={id}
          className="absolute end-0 top-full z-20 grid w-max max-w-[min(20rem,calc(100vw-2rem))] min-w-44 gap-1 rounded-card border border-line bg-raised p-2 shadow-lift"
        >
          {children}
          {actions.map(({ label, removes, onChoose, ...prefetches }) => (
            <Button
              key={label}
              variant="plain"
              size="sm"
              aria-describedby={describedBy}
              className={cx('justify-start!', removes && 'text-red')}
              {...prefetches}
              onClick={() => choose(onChoose)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
