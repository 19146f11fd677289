import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState, Loading, Pages, RefreshFailed } from '@/components/ui'
import { explain } from '@/lib/problem'
import { Files } from './files'
import { MarksTable } from './marks-table'
import { marksQuery } from './queries'

interface MarksTabProps {
  circle: string
  page: number
  onPage: (page: number) => void
}

const files = [
  { what: 'marks', label: 'Marks as a file' },
  { what: 'reviews', label: 'Reviews as a file' },
] as const

/** The marks of a circle: its organizers see all, other members those for what they have published. */
export function MarksTab({ circle, page, onPage }: MarksTabProps) {
  const { data, error, refetch } = useQuery(marksQuery(circle, page))
  const [now] = useState(Date.now)
  const retry = () => void refetch()
  if (!data) {
    return error ? (
      <ErrorState message={explain(error)} onRetry={retry} />
    ) : (
      <Loading label="Loading the marks" />
    )
  }
  return (
    <section aria-label="Marks" className="grid gap-4">
      <RefreshFailed error={error} onRetry={retry} />
      <Files of="circle" id={circle} files={files} />
      {data.assignments.length === 0 ? (
        <p className="max-w-prose text-soft">
          There is no assignment here yet. Marks show once members hand in for one.
        </p>
      ) : (
        <>
          <p className="max-w-prose text-sm text-soft">
            Members who missed a due date or owe reviews come first. Reviews given today count tomorrow, so
            that no one can tell whose they are.
          </p>
          <MarksTable marks={data} now={now} />
        </>
      )}
      <Pages page={page} totalPages={data.pagination.totalPages} onPage={onPage} label="Pages of marks" />
    </section>
  )
}
