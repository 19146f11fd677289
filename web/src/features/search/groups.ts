import { t } from '@lingui/core/macro'
import type { SearchResults } from '@/entities/search/queries'
import { dayOfDate, formatDay } from '@/lib/dates'

interface Row {
  key: string
  to: string
  text: string
  /** The circle, or the state of a submission. */
  beside?: string | undefined
}

/** Results of one kind, and the list that has all of them. */
export interface Group {
  title: string
  rows: Row[]
  all?: { to: string; text: string } | undefined
}

const statusText = (status: SearchResults['submissions'][number]['status']) =>
  ({ pending: t`pending`, completed: t`completed`, withdrawn: t`withdrawn`, 'sent-back': t`sent back` })[
    status
  ]

/** The results as links under headings, without kinds of which nothing was found. */
export function groupsOf(found: SearchResults, search: string): Group[] {
  const shownPublic = found.assignments.filter(({ circleId }) => !circleId).length
  const moreOf = (path: string, words: string) => `${path}?${new URLSearchParams({ search: words })}`
  const groups: Group[] = [
    {
      title: t`Assignments`,
      rows: found.assignments.map(({ _id: id, title, circleName }) => ({
        key: id,
        to: `/assignment/${id}`,
        text: title,
        beside: circleName,
      })),
      all:
        found.publicTotal > shownPublic
          ? {
              to: moreOf('/assignments', search),
              text: t`All ${{ count: found.publicTotal }} public assignments`,
            }
          : undefined,
    },
    {
      title: t`Circles`,
      rows: found.circles.map(({ _id: id, name }) => ({ key: id, to: `/circle/${id}`, text: name })),
    },
    {
      title: t`What you handed in`,
      rows: found.submissions.map(({ _id: id, assignmentTitle, circleName, status, submittedAt }) => ({
        key: id,
        to: moreOf('/attemded-assignments', assignmentTitle),
        text: assignmentTitle || t`Untitled`,
        beside: [circleName, statusText(status), formatDay(dayOfDate(new Date(submittedAt)))]
          .filter(Boolean)
          .join(' · '),
      })),
      all:
        found.submissionsTotal > found.submissions.length
          ? {
              to: moreOf('/attemded-assignments', search),
              text: t`All ${{ count: found.submissionsTotal }} of your submissions`,
            }
          : undefined,
    },
  ]
  return groups.filter(({ rows }) => rows.length > 0)
}
