import { memo, type ReactNode } from 'react'
import { cx } from '@/lib/cx'

export interface Column<Row> {
  header: string
  /** For undefined the table shows a dash, and the lines omit the cell. */
  cell: (row: Row) => ReactNode
  /** Numbers stand in a column, aligned at their end. */
  numeric?: boolean
  /**
   * Where there is no room for columns: it begins the row, stands without the column's name, or, in rows of people, at
   * the row's end. Usually beside the column's name.
   */
  compact?: 'heading' | 'unnamed' | 'end'
  /** Bounds of the column's width. */
  className?: string | undefined
}

interface DataTableProps<Row> {
  /** The table's accessible name. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Rows of 44 px where there is room for columns. */
  dense?: boolean
  /** Rows of people: low, in lines with the picture at the start and the actions at the end. */
  people?: boolean
}

/** A picture of 40 px begins the row, beside its lines, and a button of 44 px ends it. */
const peopleRow = 'relative min-h-13 content-center ps-13 py-1! pe-12 lg:p-0!'

const compactCell = {
  heading: 'basis-full',
  unnamed: 'text-sm last:ms-auto',
  end: 'absolute inset-y-0 end-0 flex items-center',
  named:
    "flex items-baseline gap-x-2 text-sm before:shrink-0 before:text-xs before:text-soft before:content-[attr(data-label)_/_''] lg:before:content-none",
}

/**
 * A table whose rows become lines of text where it has no room: the heading, then the other cells as they fit.
 * The roles are written out because changing `display` takes them away from a native table. A dialog that opens over
 * it costs no drawing of its rows, as long as `columns` and `rowKey` stay the same.
 */
export const DataTable = memo(Table) as typeof Table

function Table<Row>({ caption, columns, rows, rowKey, dense, people }: DataTableProps<Row>) {
  return (
    <table role="table" className="block w-full border-collapse lg:table">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="sr-only lg:not-sr-only lg:table-header-group">
        <tr role="row" className="border-b-2 border-ink">
          {columns.map((column) => (
            <th
              key={column.header}
              role="columnheader"
              scope="col"
              className={cx(
                'px-4 py-3 text-sm font-semibold first:ps-0 last:pe-0',
                column.numeric ? 'text-end' : 'text-start',
              )}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block border-t border-line lg:table-row-group">
        {rows.map((row) => (
          <tr
            key={rowKey(row)}
            role="row"
            className={cx(
              'flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line py-2 lg:table-row',
              people && peopleRow,
            )}
          >
            {columns.map((column) => {
              const value = column.cell(row)
              return (
                <td
                  key={column.header}
                  role="cell"
                  data-label={column.header}
                  className={cx(
                    'min-w-0 wrap-anywhere lg:static lg:table-cell lg:px-4 lg:text-base lg:first:ps-0 lg:last:pe-0',
                    dense && 'lg:py-px lg:align-middle',
                    people && 'lg:py-1 lg:align-middle',
                    !dense && !people && 'lg:py-4 lg:align-top',
                    compactCell[column.compact ?? 'named'],
                    column.numeric && 'lg:text-end',
                    column.className,
                    value === undefined && 'max-lg:hidden',
                  )}
                >
                  <div className="min-w-0">{value ?? '--'}</div>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
