import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Badge, Button, Email, ListPage, Moment, failed, showConfirm, toast } from '@/components/ui'
import { dayOfDate, formatDay } from '@/lib/dates'
import { usePage } from '@/lib/search-params'
import { useRowFocus } from '@/lib/use-row-focus'
import { invitationsQuery, revoke, type Invitation } from '@/entities/circle/joining'
import type { Circle } from '@/entities/circle/queries'
import { RoleBadge } from '@/entities/circle/role-badge'

/** The invitations to a circle, newest first, with the users who joined by each. Their links are not shown again. */
export function Invitations({ circle: { _id: id, may } }: { circle: Circle }) {
  const { page } = usePage('invitations')
  const invitations = useQuery(invitationsQuery(id, page))
  const revoking = useMutation(revoke)
  const heading = useRef<HTMLHeadingElement>(null)
  const { container, onFocus } = useRowFocus<HTMLDivElement>('li', heading)

  async function askToRevoke({ _id: invitationId }: Invitation) {
    const sure = await showConfirm({
      title: t`Revoke this invitation?`,
      text: t`Its link stops working at once. Members who joined with it stay.`,
      confirm: t`Revoke`,
      danger: true,
    })
    if (!sure) return
    try {
      await revoking.mutateAsync({ id, invitationId })
      toast(t`Revoked`)
    } catch (failure) {
      void failed(failure)
    }
  }

  return (
    <section aria-labelledby="invitations-heading">
      <h2 id="invitations-heading" ref={heading} tabIndex={-1} className="mb-2">
        {t`Invitations`}
      </h2>
      <ListPage
        list={invitations}
        totalPages={invitations.data?.pagination.totalPages}
        loading={t`Loading invitations`}
        heading={heading}
        name="invitations"
        label={t`Pages of invitations`}
        empty={
          invitations.data?.data.length === 0 && <p className="text-soft">{t`There are no invitations.`}</p>
        }
      >
        {({ data }) => (
          <div ref={container} onFocus={onFocus}>
            <ul className="grid">
              {data.map((invitation) => (
                <li
                  key={invitation._id}
                  className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-t border-line py-4 last:border-b"
                >
                  <Facts invitation={invitation} />
                  {invitation.revokedAt && <Badge tone="quiet">{t`Revoked`}</Badge>}
                  {may.organize && !invitation.revokedAt && (
                    <Button
                      variant="quiet"
                      size="sm"
                      busy={revoking.isPending && revoking.variables.invitationId === invitation._id}
                      aria-describedby={`invitation-${invitation._id}`}
                      onClick={() => askToRevoke(invitation)}
                    >
                      {t`Revoke`}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </div>
        )}
      </ListPage>
    </section>
  )
}

/** For whom an invitation is, how often and until when it works, and who joined by it. */
function Facts({ invitation }: { invitation: Invitation }) {
  const {
    _id: id,
    role,
    label,
    uses,
    expiresAt,
    onlyEmail,
    onlyDomain,
    email,
    createdAt,
    joined,
    joins,
  } = invitation
  const domain = <bdi>{onlyDomain}</bdi>
  return (
    <div id={`invitation-${id}`} className="grid min-w-0 flex-1 basis-64 gap-1">
      <p className="flex flex-wrap items-center gap-2">
        <RoleBadge role={role} />
        {label && (
          <Badge tone="quiet">
            <bdi>{label}</bdi>
          </Badge>
        )}
        <span>{worksText(uses, formatDay(dayOfDate(new Date(expiresAt))))}</span>
      </p>
      {onlyEmail && (
        <p className="text-sm">
          <Trans>
            Only for <Email address={onlyEmail} />
          </Trans>
        </p>
      )}
      {email && (
        <p className="text-sm">
          <Trans>
            From the roster, for <Email address={email} />
          </Trans>
        </p>
      )}
      {onlyDomain && (
        <p className="text-sm wrap-anywhere">
          <Trans>Only for addresses at {domain}</Trans>
        </p>
      )}
      <p className="text-sm text-soft wrap-anywhere">
        <Trans>
          Created <Moment instant={createdAt} />
        </Trans>
        {joins > 0 && (
          <>
            {' · '}
            <Joined names={joined.map(({ displayName }) => displayName)} joins={joins} />
          </>
        )}
      </p>
    </div>
  )
}

function worksText(uses: number | null, until: string): string {
  if (uses === null) return t`Any number of uses, until ${until}`
  return plural(uses, {
    one: `${uses} use left, until ${until}`,
    other: `${uses} uses left, until ${until}`,
  })
}

/** Who joined: the latest by their names, and how many more. */
function Joined({ names, joins }: { names: string[]; joins: number }) {
  const who = <bdi>{names.join(', ')}</bdi>
  const others = joins - names.length
  return others > 0 ? (
    <Trans>
      joined: {who} and {others} more
    </Trans>
  ) : (
    <Trans>joined: {who}</Trans>
  )
}
