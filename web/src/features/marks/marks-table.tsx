import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { AppLink, Badge, DueDate } from '@/components/ui'
import { cx } from '@/lib/cx'
import { percent } from '@/lib/rounded'
import { byNeed, isMissing, owesReviews } from './needs'
import type { CircleMarks, MarkCell, MarkColumn } from './queries'

interface MarksTableProps {
  marks: CircleMarks
  /** The present, in milliseconds since 1970. */
  now: number
  /** The rows are in the order that the user chose. */
  sorted: boolean
  /** The address of the marks of a section. */
  sectionAddress: (label: string) => string
}

const edge = 'border-line bg-paper print:static'

/** Members by assignments. Its head and its first column stay while it scrolls; the arrow keys scroll it. */
export function MarksTable({ marks, now, sorted, sectionAddress }: MarksTableProps) {
  const { assignments } = marks
  const counts = marks.data.some(({ accuracy }) => accuracy !== undefined)
  return (
    <div
      role="region"
      aria-label={t`Marks of all members`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users scroll it with the arrow keys
      tabIndex={0}
      className="relative max-h-[80dvh] overflow-auto rounded-card border border-line print:max-h-none print:overflow-visible"
    >
      <table className="min-w-full border-separate border-spacing-0 text-sm">
        <caption className="sr-only">{t`Marks`}</caption>
        <thead>
          <tr>
            <th
              scope="col"
              className={cx(edge, 'sticky start-0 top-0 z-20 border-e border-b px-3 py-2 text-start')}
            >
              {t`Member`}
            </th>
            {counts && (
              <th
                scope="col"
                className={cx(edge, 'sticky top-0 z-10 border-b px-3 py-2 text-start align-top')}
              >
                <Trans>
                  Accuracy
                  <span className="block font-normal text-soft">of exemplars</span>
                </Trans>
              </th>
            )}
            {assignments.map((column) => (
              <th
                key={column._id}
                scope="col"
                className={cx(edge, 'sticky top-0 z-10 min-w-28 border-b px-3 py-2 text-start align-top')}
              >
                <AppLink
                  to={`/assignment/${column._id}#results`}
                  className="link line-clamp-2 max-w-40 font-semibold wrap-anywhere"
                >
                  <bdi>{column.title}</bdi>
                </AppLink>
                <span className="block font-normal text-soft tabular-nums">
                  {t`of ${{ marks: column.marks }}`} · <DueDate instant={column.dueDate} />
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(sorted ? marks.data : byNeed(marks, now)).map(
            ({ userId, displayName, name, label, accuracy, cells }) => (
              <tr key={userId} className="h-14">
                <th
                  scope="row"
                  className={cx(
                    edge,
                    'sticky start-0 z-10 max-w-36 border-e border-b px-3 py-1 text-start sm:max-w-56',
                  )}
                >
                  <span className="block truncate font-semibold">
                    <bdi>{name || displayName}</bdi>
                  </span>
                  {(label || (name && name !== displayName)) && (
                    <span className="block truncate font-normal text-soft">
                      {label && (
                        <AppLink to={sectionAddress(label)} preventScrollReset className="link">
                          <bdi>{label}</bdi>
                        </AppLink>
                      )}
                      {label && name && name !== displayName && ', '}
                      {name && name !== displayName && <bdi>{displayName}</bdi>}
                    </span>
                  )}
                </th>
                {counts && (
                  <td className="border-b border-line px-3 py-1 whitespace-nowrap">
                    {accuracy ? (
                      <>
                        <span className="tabular-nums">{percent(accuracy.percent)}</span>
                        <span className="block text-soft tabular-nums">
                          {plural({ count: accuracy.reviews }, { one: '# review', other: '# reviews' })}
                        </span>
                      </>
                    ) : (
                      <span className="text-soft" aria-label={t`None yet`}>
                        --
                      </span>
                    )}
                  </td>
                )}
                {assignments.map((column, at) => (
                  <td key={column._id} className="border-b border-line px-3 py-1 whitespace-nowrap">
                    <Cell cell={cells[at]} column={column} now={now} />
                  </td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

function Cell({ cell, column, now }: { cell: MarkCell | undefined; column: MarkColumn; now: number }) {
  if (!cell) return null
  const { state, givenMark, percent: share, late, reviewsGiven = 0, reviewsOwed } = cell
  return (
    <>
      <span className="flex items-center gap-2">
        {givenMark !== undefined && (
          <>
            <b className="tabular-nums">{givenMark}</b>
            {share !== undefined && <span className="text-soft tabular-nums">{percent(share)}</span>}
          </>
        )}
        {givenMark === undefined && state === 'pending' && <span className="text-soft">{t`Pending`}</span>}
        {state === 'mine' && <span className="text-soft">{t`Published it`}</span>}
        {state === 'open' &&
          (isMissing(cell, column, now) ? (
            <Badge tone="warning">{t`Missing`}</Badge>
          ) : (
            <span className="text-soft" aria-label={t`Nothing yet`}>
              --
            </span>
          ))}
        {late && <Badge tone="quiet">{t`Late`}</Badge>}
      </span>
      {reviewsOwed !== undefined && (
        <span className={cx('block', owesReviews(cell) ? 'text-amber' : 'text-soft')}>
          {t`${reviewsGiven} of ${reviewsOwed} given`}
        </span>
      )}
    </>
  )
}
