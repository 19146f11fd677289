import { useState } from 'react'
import { Badge, Button, ErrorState, Loading, alertBox, toast } from '@/components/ui'
import { ago } from '@/lib/ago'
import { useResource } from '@/lib/cache'
import { dayOfDate, formatDay } from '@/lib/dates'
import { explain } from '@/lib/problem'
import { endOtherSessions, endSession, fetchSessions, sessionsKey, type OpenSession } from './api'
import { Section } from './section'

/** Where the user is signed in, and how to end that. */
export function Sessions() {
  const { data, error, loading, retry } = useResource(sessionsKey, fetchSessions)
  const [busy, setBusy] = useState<string | null>(null)

  async function end(name: string, call: () => Promise<void>) {
    setBusy(name)
    try {
      await call()
      void toast('Signed out there')
    } catch (problem) {
      void alertBox({ title: 'Error', text: explain(problem), error: true })
    } finally {
      setBusy(null)
    }
  }

  return (
    <Section title="Where you are signed in">
      {loading && <Loading label="Loading your sessions" />}
      {error !== null && <ErrorState message={explain(error)} onRetry={retry} />}
      <ul className="grid gap-3">
        {data?.map((session) => (
          <SessionRow
            key={session._id}
            session={session}
            busy={busy === session._id}
            onEnd={() => void end(session._id, () => endSession(session._id))}
          />
        ))}
      </ul>
      {data && data.length > 1 && (
        <Button
          variant="quiet"
          busy={busy === 'all'}
          className="mt-5"
          onClick={() => void end('all', endOtherSessions)}
        >
          Sign out everywhere else
        </Button>
      )}
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
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-raised p-4">
      <div id={`session-${id}`}>
        <p className="font-semibold">{device}</p>
        <p className="text-sm text-soft">
          Signed in on {formatDay(dayOfDate(new Date(createdAt)))}, last seen {ago(lastSeenAt)}
        </p>
      </div>
      {current ? (
        <Badge tone="success">This device</Badge>
      ) : (
        <Button variant="quiet" size="sm" busy={busy} aria-describedby={`session-${id}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  )
}
