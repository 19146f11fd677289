import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Button, Clamped, Loading, RenderedText } from '@/components/ui'
import { assignmentQuery } from '@/entities/assignment/queries'
import { explain } from '@/lib/problem'

/** An assignment's task; imported work may not name its assignment. */
export function AssignmentTask({ id }: { id: string | undefined }) {
  const { data, error, refetch } = useQuery({ ...assignmentQuery(id ?? ''), enabled: id !== undefined })
  if (id === undefined || data === null) {
    return (
      <p className="text-soft">{t`The assignment was deleted. What was handed in can still be marked.`}</p>
    )
  }
  if (data) return <Clamped>{data.html ? <RenderedText html={data.html} /> : data.description}</Clamped>
  if (!error) return <Loading label={t`Loading the task`} />
  return (
    <div role="alert">
      <p>
        {t`The task could not be loaded.`} {explain(error)}
      </p>
      <Button variant="quiet" size="sm" className="mt-2" onClick={() => refetch()}>
        {t`Retry`}
      </Button>
    </div>
  )
}
