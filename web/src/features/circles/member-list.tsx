import { plural, t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState, type ReactNode } from 'react'
import {
  AppLink,
  Avatar,
  Badge,
  DataTable,
  Email,
  ListPage,
  Moment,
  RowMenu,
  failed,
  showConfirm,
  toast,
  type Column,
} from '@/components/ui'
import { useSearch } from '@/lib/search-params'
import { useRowFocus } from '@/lib/use-row-focus'
import { MemberFilters } from './member-filters'
import { memberParams, membersQuery, removeMember, type Member } from '@/entities/circle/members'
import { memberDialog } from './parts'
import type { Circle } from '@/entities/circle/queries'
import { RoleBadge } from '@/entities/circle/role-badge'

/** The members of a circle. Filters, order and page are in the address. */
export function MemberList({ circle }: { circle: Circle }) {
  const { _id: id, may, role } = circle
  const organizes = role !== 'member'
  const [query, ask] = useSearch(memberParams)
  const client = useQueryClient()
  const members = useQuery(membersQuery(id, query))
  const { mutateAsync: remove } = useMutation(removeMember)
  const [edited, setEdited] = useState<Member | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const { container, onFocus } = useRowFocus<HTMLDivElement>('tbody tr', heading)
  const isFiltered = query.search !== '' || query.role !== '' || query.label !== ''

  const columns = useMemo(() => {
    async function askToRemove({ userId, displayName }: Member) {
      const sure = await showConfirm({
        title: t`Remove this member?`,
        text: t`They will no longer see the circle, and need a new invitation to join again. They can still read what they handed in.`,
        detail: <bdi>{displayName}</bdi>,
        confirm: t`Remove`,
        danger: true,
      })
      if (!sure) return
      try {
        await remove({ id, userId })
        toast(t`Removed`)
      } catch (failure) {
        void failed(failure)
      }
    }
    return columnsOf(organizes, may.organize, setEdited, (member) => void askToRemove(member))
  }, [id, organizes, may.organize, remove])

  return (
    <section aria-labelledby="members-heading">
      <h2 id="members-heading" ref={heading} tabIndex={-1} className="mb-4">
        {t`Members`}
      </h2>
      <MemberFilters query={query} onChange={(change) => ask(change, { preventScrollReset: true })} />
      <ListPage
        list={members}
        totalPages={members.data?.pagination.totalPages}
        loading={t`Loading members`}
        heading={heading}
        part
        label={t`Pages of members`}
        ahead={(page) => client.prefetchQuery(membersQuery(id, { ...query, page }))}
      >
        {({ data, pagination: { total } }) => (
          <>
            {isFiltered && (
              <p role="status" className="mb-3 text-sm text-soft">
                {matchesText(total)}
              </p>
            )}
            {data.length > 0 && (
              <div ref={container} onFocus={onFocus}>
                <DataTable caption={t`Members`} columns={columns} rows={data} rowKey={keyOf} people />
              </div>
            )}
          </>
        )}
      </ListPage>
      {edited && <memberDialog.Dialog circle={circle} member={edited} onClose={() => setEdited(null)} />}
    </section>
  )
}

const inTab = new URLSearchParams({ tab: 'members' })
const keyOf = ({ userId }: Member) => userId

/**
 * Organizers see addresses and names of the roster; while the circle is not archived, they also change members. Then a
 * row without room for columns has the dates in its menu.
 */
function columnsOf(
  organizes: boolean,
  mayChange: boolean,
  onEdit: (member: Member) => void,
  onRemove: (member: Member) => void,
): Column<Member>[] {
  const inMenu = mayChange ? 'max-lg:not-print:hidden' : undefined
  const all: (Column<Member> | false)[] = [
    {
      header: t`Member`,
      compact: 'heading',
      cell: ({ userId, displayName, photoURL, email, name }) => (
        <span id={`member-${userId}`} className="flex min-w-0 items-center gap-3">
          <span
            aria-hidden="true"
            className="flex shrink-0 items-center max-lg:absolute max-lg:inset-y-0 max-lg:start-0"
          >
            <Avatar name={displayName} photoURL={photoURL} />
          </span>
          <span className="flex min-w-0 items-baseline gap-x-2 text-base leading-snug lg:block">
            <span className="max-w-full font-semibold wrap-anywhere max-lg:shrink-0">
              <bdi>{displayName}</bdi>
            </span>
            {name && name !== displayName && (
              <span className="text-sm text-soft max-lg:truncate lg:ms-2 lg:wrap-anywhere">
                <bdi>{name}</bdi>
              </span>
            )}
            {email && (
              <span className="text-sm text-soft max-lg:truncate lg:block max-lg:[&_wbr]:hidden">
                <Email address={email} />
              </span>
            )}
          </span>
        </span>
      ),
    },
    {
      header: t`Role`,
      compact: 'unnamed',
      cell: ({ role: has, label, extraDays = 0 }) => (
        <span className="flex flex-wrap items-center gap-2">
          <RoleBadge role={has} />
          {extraDays > 0 && (
            <Badge tone="quiet">{plural(extraDays, { one: '# extra day', other: '# extra days' })}</Badge>
          )}
          {label && (
            <AppLink
              to={memberParams.address('', { label }, inTab)}
              preventScrollReset
              className="link wrap-anywhere"
            >
              <bdi>{label}</bdi>
            </AppLink>
          )}
        </span>
      ),
    },
    { header: t`Joined`, className: inMenu, cell: ({ joinedAt }) => <Moment instant={joinedAt} /> },
    organizes && {
      header: t`Last seen`,
      className: inMenu,
      cell: ({ lastSeenAt }) => (lastSeenAt ? <LastSeen day={lastSeenAt} /> : undefined),
    },
    mayChange && {
      header: t`Actions`,
      compact: 'end',
      cell: (member) => (
        <RowMenu
          describedBy={`member-${member.userId}`}
          actions={[
            ...(member.may?.label
              ? [{ label: t`Edit`, ...memberDialog.opener, onChoose: () => onEdit(member) }]
              : []),
            ...(member.may?.remove
              ? [{ label: t`Remove`, removes: true, onChoose: () => onRemove(member) }]
              : []),
          ]}
        >
          <AboutMember member={member} />
        </RowMenu>
      ),
    },
  ]
  return all.filter((column) => column !== false)
}

const LastSeen = ({ day }: { day: string }) => (
  <time dateTime={day}>{day.slice(0, 10).replaceAll('-', '/')}</time>
)

/** What a row without room for columns leaves out or cuts. */
function AboutMember({ member: { email, name, displayName, joinedAt, lastSeenAt } }: { member: Member }) {
  return (
    <dl className="grid gap-2 px-3 py-1 text-sm lg:hidden">
      {name && name !== displayName && <Known word={t`Name in this circle`}>{name}</Known>}
      {email && (
        <Known word={t`Email`}>
          <Email address={email} />
        </Known>
      )}
      <Known word={t`Joined`}>
        <Moment instant={joinedAt} />
      </Known>
      {lastSeenAt && (
        <Known word={t`Last seen`}>
          <LastSeen day={lastSeenAt} />
        </Known>
      )}
    </dl>
  )
}

const Known = ({ word, children }: { word: string; children: ReactNode }) => (
  <div>
    <dt className="text-xs text-soft">{word}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
)

function matchesText(total: number): string {
  if (total === 0) return t`No member matches.`
  return plural(total, { one: `${total} member matches.`, other: `${total} members match.` })
}
