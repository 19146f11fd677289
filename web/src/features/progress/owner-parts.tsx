import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Tabs } from '@/components/ui'
import { summaryQuery, type ResultSummary } from '@/entities/result/queries'
import { oneOf, searchParams, useSearch } from '@/lib/search-params'

/** What an assignment's page shows to those who read its results: all of it, or one part. */
export type Part = 'all' | 'task' | 'work' | 'exemplars' | 'discussion'

const named = oneOf<Part>('task', 'work', 'exemplars', 'discussion')
const partParams = searchParams({ tab: (text) => named(text) || 'all' })

/** The part that the address names, or all. */
export function usePart(): Part {
  const [{ tab }] = useSearch(partParams)
  return tab
}

interface OwnerPartsProps {
  assignmentId: string
  hasExemplars: boolean
  open: Part
}

/** What came in for an assignment, in figures, and the tabs of its page. */
export function OwnerParts({ assignmentId, hasExemplars, open }: OwnerPartsProps) {
  const { data } = useQuery(summaryQuery(assignmentId))
  const tab = (name: Part, label: string) => ({
    name,
    label,
    to: partParams.address(`/assignment/${assignmentId}`, { tab: name }),
  })
  return (
    <div className="mt-3">
      {/* Its line is reserved, so that nothing moves when the figures arrive. */}
      <p className="min-h-7 text-soft tabular-nums">{data && figuresOf(data)}</p>
      <Tabs
        label={t`Parts of this assignment`}
        tabs={[
          tab('all', t`All`),
          tab('task', t`Task`),
          tab('work', data ? t`Work (${{ count: data.total }})` : t`Work`),
          ...(hasExemplars ? [tab('exemplars', t`Exemplars`)] : []),
          tab('discussion', t`Discussion`),
        ]}
        open={open}
      />
    </div>
  )
}

/** As '4 in · 4 to finalize · 1 appeal'. */
function figuresOf({ total, waiting, ready, appeals }: ResultSummary): string {
  return [
    t`${total} in`,
    waiting > 0 && plural(waiting, { one: `${waiting} waits for you`, other: `${waiting} wait for you` }),
    ready > 0 && t`${ready} to finalize`,
    appeals > 0 && plural(appeals, { one: `${appeals} appeal`, other: `${appeals} appeals` }),
  ]
    .filter((text) => text !== false)
    .join(' · ')
}
