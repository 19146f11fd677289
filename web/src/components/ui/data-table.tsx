import { memo, type ReactNode } from 'react'
import { cx } from '@/lib/cx'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** Numbers stand in a column, aligned at their end. */
  numeric?: boolean
  /** How a card shows it: as its heading, or in a row of its own, without the column's name. Usually beside that. */
  card?: 'heading' | 'row'
  /** Bounds of the column's width. */
  className?: string
}

interface DataTableProps<Row> {
  /** The table's accessible name. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
}

const cellOfCard = {
  heading: 'block text-lg leading-snug lg:leading-[inherit]',
  row: 'block last:mt-auto',
  pair: "grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-3 before:text-sm before:font-semibold before:text-soft before:content-[attr(data-label)_/_''] lg:before:content-none",
}

/**
 * A table that becomes cards where it has no room: one beneath the other on a phone, two side by side on a tablet.
 * The roles are written out because changing `display` takes them away from a native table. A dialog that opens over
 * it costs no drawing of its rows, as long as `columns` and `rowKey` stay the same.
 */
export const DataTable = memo(Table) as typeof Table

function Table<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
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
      <tbody role="rowgroup" className="grid gap-4 sm:grid-cols-2 lg:table-row-group">
        {rows.map((row) => (
          <tr
            key={rowKey(row)}
            role="row"
            className="flex min-w-0 flex-col gap-3 rounded-card border border-line bg-raised p-5 lg:table-row lg:rounded-none lg:border-0 lg:border-b lg:bg-paper"
          >
            {columns.map((column) => (
              <td
                key={column.header}
                role="cell"
                data-label={column.header}
                className={cx(
                  'wrap-anywhere lg:table-cell lg:px-4 lg:py-4 lg:align-top lg:text-base lg:first:ps-0 lg:last:pe-0',
                  cellOfCard[column.card ?? 'pair'],
                  column.numeric && 'lg:text-end',
                  column.className,
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
