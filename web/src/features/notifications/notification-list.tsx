import { useMutation } from '@tanstack/react-query'
import { AppLink } from '@/components/ui'
import { ago } from '@/lib/ago'
import { cx } from '@/lib/cx'
import { readNotifications } from '@/entities/notification/mutations'
import type { Notification } from '@/entities/notification/queries'
import { namesCircle, sentence } from './sentence'

/** Notifications, newest first. Opening one marks it as read. One whose assignment the user no longer sees has no link. */
export function NotificationList({ rows, onOpen }: { rows: Notification[]; onOpen?: () => void }) {
  const { mutate } = useMutation(readNotifications)
  return (
    <ul className="divide-y divide-line">
      {rows.map((row) => (
        <li key={row._id} className={cx(row.readAt && 'text-soft')}>
          {row.url === null ? (
            <div className={rowClass}>
              <Told row={row} />
            </div>
          ) : (
            <AppLink
              to={row.url}
              onClick={() => {
                if (!row.readAt) mutate({ ids: [row._id] })
                onOpen?.()
              }}
              className={cx(rowClass, 'no-underline hover:bg-line/40 focus-visible:-outline-offset-2')}
            >
              <Told row={row} />
            </AppLink>
          )}
        </li>
      ))}
    </ul>
  )
}

const rowClass = 'flex gap-3 px-4 py-3'

function Told({ row }: { row: Notification }) {
  return (
    <>
      <span
        aria-hidden="true"
        className={cx('mt-2.5 size-2 shrink-0 rounded-full', row.readAt ? 'bg-transparent' : 'bg-red')}
      />
      <span className="min-w-0 grow">
        {!row.readAt && <span className="sr-only">Unread: </span>}
        <span className="wrap-anywhere">
          {sentence(row, <bdi className="font-semibold">{row.title}</bdi>)}
        </span>
        <span className="block text-sm wrap-anywhere text-soft">
          {row.circleName && !namesCircle(row.kind) && (
            <>
              <bdi>{row.circleName}</bdi> ·{' '}
            </>
          )}
          <time dateTime={row.createdAt}>{ago(row.createdAt)}</time>
          {row.url === null && ' · no longer available'}
        </span>
      </span>
    </>
  )
}
