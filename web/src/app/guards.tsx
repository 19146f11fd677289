import { useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { ErrorState, FullScreenSpinner } from '@/components/ui'
import { authState } from '@/lib/from-path'
import { explain } from '@/lib/problem'
import { useSession, useUser } from '@/lib/session'
import { useAccess } from '@/lib/site'
import { useCurrentPage } from './current-page'
import { learnSession } from './learn-session'

/** Lets users through and sends visitors to sign in, to come back afterwards. */
export function UsersOnly() {
  const session = useSession()
  const { pathname, search } = useLocation()
  const [wasIn] = useState(session.status === 'in')
  if (session.status === 'loading') return <Unknown problem={session.problem} />
  if (session.status === 'in') return <Outlet />
  // After signing out on this page, a login does not lead back to it.
  const state = wasIn && session.left ? undefined : { from: pathname + search, ...(wasIn && { ended: true }) }
  return <Navigate to="/auth/login" replace state={state} />
}

/** The pages of the hall and, where that is off, what is left of them. The build draws them for where it is on. */
export function InHall() {
  const { hall } = useAccess()
  const page = useCurrentPage()
  const user = useUser()
  if (import.meta.env.SSR || hall !== 'off') return <Outlet />
  return user && page?.withoutHall === 'circles' ? <Navigate to="/circles" replace /> : <UsersOnly />
}

/** The pages for signing in: a signed-in user is redirected to their destination. */
export function VisitorsOnly() {
  const session = useSession()
  const { from = '/', resume } = authState(useLocation())
  if (session.status === 'loading') return <Unknown problem={session.problem} />
  if (session.status === 'out') return <Outlet />
  return <Navigate to={from} replace state={resume ? { resume } : undefined} />
}

/** The session is not known yet; the app keeps asking. */
function Unknown({ problem }: { problem: unknown }) {
  if (problem === undefined) return <FullScreenSpinner />
  return <ErrorState message={explain(problem)} onRetry={() => void learnSession()} />
}
