import { useQuery } from '@tanstack/react-query'
import { summaryQuery, type ResultSummary } from '@/entities/result/queries'

/** The effect of deleting an assignment on its submissions; nothing where they cannot be counted. */
export function LostByDeleting({ id }: { id: string }) {
  const { data, isPending } = useQuery(summaryQuery(id))
  return (
    <div role="status">
      {isPending && <p>Counting the submissions…</p>}
      {data && <p>{lostText(data)}</p>}
    </div>
  )
}

function lostText({ total, marked }: ResultSummary): string {
  if (total === 0) return 'No submissions have been handed in.'
  const kept = 'Submitters keep their submissions and marks, but you can no longer open the results.'
  return `${handedInText(total, marked)} ${kept}`
}

function handedInText(total: number, marked: number): string {
  if (total > 1)
    return `${total.toLocaleString('en')} submissions have been handed in, ${marked.toLocaleString('en')} of them with a mark.`
  return marked ? '1 submission has been handed in and has a mark.' : '1 submission has been handed in.'
}
