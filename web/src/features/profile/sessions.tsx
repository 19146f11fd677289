import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Badge, Button, ErrorState, Loading, RefreshFailed, failed, toast } from '@/components/ui'
import { ago } from '@/lib/ago'
import { dayOfDate, formatDay } from '@/lib/dates'
import { explain } from '@/lib/problem'
import { useRowFocus } from '@/lib/use-row-focus'
import { endOtherSessions, endSession } from '@/entities/user/mutations'
import { sessionsQuery, type OpenSession } from '@/entities/user/queries'
import { Section } from './section'

/** The messages about ended sessions. */
const messages = {
  onSuccess: () => toast(t`Signed out there`),
  onError: (error: Error) => void failed(error),
}

/** Where the user is signed in, and how to end that. */
export function Sessions() {
  const { data, error, isPending, refetch } = useQuery(sessionsQuery)
  const one = useMutation(endSession)
  const others = useMutation(endOtherSessions)
  const heading = useRef<HTMLHeadingElement>(null)
  const { container, onFocus } = useRowFocus<HTMLDivElement>('li', heading)
  const retry = () => void refetch()
  return (
    <Section id="devices" title={t`Where you are signed in`} heading={heading}>
      {isPending && <Loading label={t`Loading your sessions`} />}
      {error && !data && <ErrorState message={explain(error)} onRetry={retry} />}
      <RefreshFailed error={data && error} onRetry={retry} />
      <div ref={container} onFocus={onFocus}>
        <ul className="grid gap-3">
          {data?.map((session) => (
            <SessionRow
              key={session._id}
              session={session}
              busy={one.isPending && one.variables === session._id}
              onEnd={() => one.mutate(session._id, messages)}
            />
          ))}
        </ul>
        {data && data.length > 1 && (
          <Button
            variant="quiet"
            busy={others.isPending}
            className="mt-5"
            onClick={() => others.mutate(undefined, messages)}
          >
            {t`Sign out everywhere else`}
          </Button>
        )}
      </div>
    </Section>
  )
}

interface SessionRowProps {
  session: OpenSession
  busy: boolean
  onEnd: () => void
}

function SessionRow({ session, busy, onEnd }: SessionRowProps) {
  const { _id: id, device, createdAt, lastSeenAt, current } = session
  const day = formatDay(dayOfDate(new Date(createdAt)))
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-b border-line pb-3">
      <div id={`session-${id}`}>
        <p className="font-semibold">{device}</p>
        <p className="text-sm text-soft">{t`Signed in on ${day}, last seen ${{ ago: ago(lastSeenAt) }}`}</p>
      </div>
      {current ? (
        <Badge tone="success">{t`This device`}</Badge>
      ) : (
        <Button variant="quiet" size="sm" busy={busy} aria-describedby={`session-${id}`} onClick={onEnd}>
          {t`Sign out`}
        </Button>
      )}
    </li>
  )
}
