import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { summaryQuery, type ResultSummary } from '@/entities/result/queries'

/** The effect of deleting an assignment on its submissions; nothing where they cannot be counted. */
export function LostByDeleting({ id }: { id: string }) {
  const { data, isPending } = useQuery(summaryQuery(id))
  return (
    <div role="status">
      {isPending && <p>{t`Counting the submissions…`}</p>}
      {data && <p>{lostText(data)}</p>}
    </div>
  )
}

function lostText({ total, marked }: ResultSummary): string {
  if (total === 0) return t`No submissions have been handed in.`
  const kept = t`Submitters keep their submissions and marks, but you can no longer open the results.`
  return `${handedInText(total, marked)} ${kept}`
}

function handedInText(total: number, marked: number): string {
  if (total > 1)
    return t`${plural(total, {
      one: '# submission has been handed in',
      other: '# submissions have been handed in',
    })}, ${plural(marked, { one: '# of them with a mark', other: '# of them with a mark' })}.`
  return marked ? t`1 submission has been handed in and has a mark.` : t`1 submission has been handed in.`
}
