import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { ErrorState, PageHead, RefreshFailed } from '@/components/ui'
import { explain } from '@/lib/problem'
import { AlsoWaiting } from './also-waiting'
import { Created } from './created'
import { DueSoon } from './due-soon'
import { Graded } from './graded'
import { dashboardQuery, type Dashboard } from '@/entities/progress/queries'
import { Took } from './took'
import { WaitingForGrade } from './waiting'

/** The user's own page: submissions, assignments, grades and next steps. */
export function DashboardPage() {
  const { data, error, refetch } = useQuery(dashboardQuery)
  // The room of the parts is reserved; they follow in small steps, so that a slow processor still responds.
  const known = useDeferredValue<Dashboard | null | undefined>(data, null)
  const retry = () => void refetch()
  return (
    <div className="page">
      <PageHead title={t`Dashboard`} art="dashboard">
        {t`Your marks, your assignments, and what comes next. Only you see this.`}
      </PageHead>
      {error && !data ? (
        <ErrorState message={explain(error)} onRetry={retry} />
      ) : (
        <>
          <RefreshFailed error={error} onRetry={retry} />
          <div className="grid gap-6 md:grid-cols-2 xl:grid-cols-6 xl:grid-rows-[auto_1fr_auto]">
            <Took taken={known?.taken} className="md:col-span-2 xl:col-span-4 xl:row-span-2" />
            <DueSoon due={known?.due} className="xl:col-span-2" />
            <WaitingForGrade waiting={known?.waiting} className="xl:col-span-2" />
            <Created created={known?.created} waiting={known ?? undefined} className="xl:col-span-3" />
            <Graded given={known?.given} className="xl:col-span-3" />
            <AlsoWaiting className="md:col-span-2 xl:col-span-6" />
          </div>
        </>
      )}
    </div>
  )
}
