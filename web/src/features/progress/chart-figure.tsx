import { t } from '@lingui/core/macro'
import { useDeferredValue, useId, useState, type ReactNode } from 'react'
import { Button } from '@/components/ui'
import { cx } from '@/lib/cx'

interface ChartFigureProps {
  title: string
  /** The room that it takes, drawn or not. */
  className: string
  /** Absent until there is something to draw. */
  chart?: ReactNode
  table?: ReactNode
}

/** A chart or the table of its figures; a button switches between them. */
export function ChartFigure({ title, className, chart, table }: ChartFigureProps) {
  const id = useId()
  const [asTable, setAsTable] = useState(false)
  // The button responds at once; the figure follows.
  const shown = useDeferredValue(asTable ? table : chart)
  return (
    <figure aria-labelledby={id} className="min-w-0">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-1">
        <h3 id={id} className="text-base">
          {title}
        </h3>
        {chart && (
          <Button
            variant="plain"
            size="sm"
            aria-pressed={asTable}
            aria-describedby={id}
            className="-me-3 text-soft aria-pressed:bg-line/60 aria-pressed:text-ink"
            onClick={() => setAsTable(!asTable)}
          >
            {t`Show as table`}
          </Button>
        )}
      </div>
      {/* A chart is redrawn after its room has narrowed: until then it is cut off. */}
      <div className={cx('mt-2 overflow-x-clip', className)}>{shown}</div>
    </figure>
  )
}

interface ChartTableProps {
  caption: string
  columns: readonly { header: string; numeric?: boolean }[]
  children: ReactNode
}

/** A chart's figures as a table of the chart's size, which scrolls. */
export function ChartTable({ caption, columns, children }: ChartTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users scroll it with the arrow keys
    <div role="region" aria-label={caption} tabIndex={0} className="relative max-h-79 overflow-y-auto">
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-raised">
          <tr className="border-b border-edge">
            {columns.map(({ header, numeric }) => (
              <th
                key={header}
                scope="col"
                className={cx('py-2 pe-3 font-semibold last:pe-1', numeric ? 'text-end' : 'text-start')}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:py-2 [&_td]:pe-3 [&_td]:last:pe-1 [&_tr]:border-b [&_tr]:border-line">
          {children}
        </tbody>
      </table>
    </div>
  )
}
