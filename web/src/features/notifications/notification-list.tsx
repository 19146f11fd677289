import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { AppLink, Avatar } from '@/components/ui'
import { ago } from '@/lib/ago'
import { cx } from '@/lib/cx'
import { stripBidiControls } from '@/lib/text'
import { readNotifications } from '@/entities/notification/mutations'
import type { Notification } from '@/entities/notification/queries'
import { namesCircle, sentence } from './sentence'

interface NotificationListProps {
  rows: Notification[]
  onOpen?: () => void
  /** Shows who acted, where a notification names them. */
  pictures?: boolean
}

/** Notifications, newest first. Opening one marks it as read. One whose assignment the user no longer sees has no link. */
export function NotificationList({ rows, onOpen, pictures = false }: NotificationListProps) {
  const { mutate } = useMutation(readNotifications)
  return (
    <ul className="divide-y divide-line">
      {rows.map((row) => (
        <li key={row._id} className={cx(row.readAt && 'text-soft')}>
          {row.url === null ? (
            <div className={rowClass}>
              <Told row={row} picture={pictures} />
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
              <Told row={row} picture={pictures} />
            </AppLink>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Notifications in groups of one assignment, that with the newest one first. */
export function GroupedNotifications({ rows }: { rows: Notification[] }) {
  return groupsOf(rows).map(([first, ...others]) => (
    <section
      key={first.assignmentId ?? first._id}
      aria-label={others.length > 0 ? stripBidiControls(first.title) : undefined}
      className="mt-4 overflow-hidden rounded-card border border-line bg-raised"
    >
      {others.length > 0 && (
        <h2 className="border-b border-line px-4 py-2 text-base wrap-anywhere">
          <bdi>{first.title}</bdi>
        </h2>
      )}
      <NotificationList rows={[first, ...others]} pictures />
    </section>
  ))
}

type Group = [Notification, ...Notification[]]

function groupsOf(rows: Notification[]): Group[] {
  const groups = new Map<string, Group>()
  for (const row of rows) {
    const key = row.assignmentId ?? row._id
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()]
}

const rowClass = 'flex gap-3 px-4 py-3'

function Told({ row, picture }: { row: Notification; picture: boolean }) {
  return (
    <>
      <span
        aria-hidden="true"
        className={cx('mt-2.5 size-2 shrink-0 rounded-full', row.readAt ? 'bg-transparent' : 'bg-red')}
      />
      {picture && row.actorName && (
        <span aria-hidden="true" className="flex shrink-0 items-start">
          <Avatar name={row.actorName} photoURL={row.actorPhoto} />
        </span>
      )}
      <span className="min-w-0 grow">
        {!row.readAt && <span className="sr-only">{t`Unread:`} </span>}
        <span className="wrap-anywhere">
          {sentence(row, <bdi className="font-semibold">{row.title}</bdi>)}
        </span>
        {row.mark !== undefined && <ToldMark {...row} mark={row.mark} />}
        <span className="block text-sm wrap-anywhere text-soft">
          {row.circleName && !namesCircle(row.kind) && (
            <>
              <bdi>{row.circleName}</bdi> ·{' '}
            </>
          )}
          <time dateTime={row.createdAt}>{ago(row.createdAt)}</time>
          {row.url === null && ` · ${t`no longer available`}`}
        </span>
      </span>
    </>
  )
}

/** The mark, what it was before, and why. */
function ToldMark({
  mark,
  before,
  total = 0,
  words,
}: Pick<Notification, 'before' | 'total' | 'words'> & { mark: number }) {
  const isChanged = before !== undefined && before !== mark
  const figure = (
    <b className="tabular-nums">{isChanged ? t`${before} → ${mark} of ${total}` : t`${mark} of ${total}`}</b>
  )
  const why = <bdi>{words}</bdi>
  return (
    <span className="block wrap-anywhere">
      {words ? (
        <Trans>
          {figure}: {why}
        </Trans>
      ) : (
        figure
      )}
    </span>
  )
}
