import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListPage } from '@/components/ui'
import { usePage } from '@/lib/search-params'
import { Files } from './files'
import { MarksTable } from './marks-table'
import { marksQuery } from './queries'

interface MarksTabProps {
  circle: string
}

const files = () =>
  [
    { what: 'marks', label: 'Marks as a file' },
    { what: 'reviews', label: 'Reviews as a file' },
  ] as const

/** The marks of a circle: its organizers see all, other members those for what they have published. */
export function MarksTab({ circle }: MarksTabProps) {
  const { page } = usePage()
  const marks = useQuery(marksQuery(circle, page))
  const [now] = useState(Date.now)
  return (
    <ListPage
      list={marks}
      totalPages={marks.data?.pagination.totalPages}
      loading="Loading the marks"
      label="Pages of marks"
    >
      {(data) => (
        <section aria-label="Marks" className="grid gap-4">
          <Files of="circle" id={circle} files={files()} />
          {data.assignments.length === 0 ? (
            <p className="max-w-prose text-soft">
              There are no assignments here yet. Marks appear once members hand in work.
            </p>
          ) : (
            <>
              <p className="max-w-prose text-sm text-soft">
                Members who missed a due date or owe reviews come first. Reviews given today count tomorrow,
                so that no one can tell whose they are.
              </p>
              <MarksTable marks={data} now={now} />
            </>
          )}
        </section>
      )}
    </ListPage>
  )
}
