import { memo, type ReactNode } from 'react'
import { cx } from '@/lib/cx'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** Numbers stand in a column, aligned at their end. */
  numeric?: boolean
}

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

/**
 * A table that becomes a stack of cards on a phone, each value under its column's name. The roles are
 * written out because changing `display` takes them away from a native table. A dialog that opens over it
 * costs no drawing of its rows, as long as `columns` and `rowKey` stay the same.
 */
export const DataTable = memo(Table) as typeof Table

function Table<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <table role="table" className="block w-full border-collapse md:table">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row" className="border-b-2 border-ink">
          {columns.map((column) => (
            <th
              key={column.header}
              role="columnheader"
              scope="col"
              className={cx('px-4 py-3 text-sm font-semibold', column.numeric ? 'text-end' : 'text-start')}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="grid gap-4 md:table-row-group">
        {rows.map((row) => (
          <tr
            key={rowKey(row)}
            role="row"
            className="grid gap-3 rounded-card border border-line bg-raised p-4 md:table-row md:rounded-none md:border-0 md:border-b md:bg-transparent"
          >
            {columns.map((column) => (
              <td
                key={column.header}
                role="cell"
                data-label={column.header}
                className={cx(
                  "grid grid-cols-[7.5rem_minmax(0,1fr)] items-baseline gap-3 before:text-sm before:font-semibold before:text-soft before:content-[attr(data-label)_/_''] md:table-cell md:px-4 md:py-3 md:align-middle md:before:content-none",
                  column.numeric && 'md:text-end',
                )}
              >
                <div className="min-w-0">{column.cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
