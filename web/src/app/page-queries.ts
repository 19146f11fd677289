import { overviewQuery } from '@/features/admin/queries'
import { isPersonal, listQueryOf } from '@/entities/assignment/list-query'
import { asStudentQuery } from '@/entities/assignment/as-student'
import { assignmentQuery, listQuery } from '@/entities/assignment/queries'
import { circleQuery, circlesQuery } from '@/entities/circle/queries'
import { commentsQuery } from '@/entities/comment/threads-query'
import { reportsQuery } from '@/entities/report/queries'
import { notificationParams, notificationsQuery, settingsQuery } from '@/entities/notification/queries'
import { accountQuery, sessionsQuery, signInMethodsQuery } from '@/entities/user/queries'
import { dashboardQuery, progressQuery } from '@/entities/progress/queries'
import { givenQuery, markQuery } from '@/entities/review/queries'
import { mineParams, mineQuery, ownPendingQuery, pendingQuery } from '@/entities/submission/queries'
import { pageQuery, type PageQuery } from '@/lib/query'
import { pageNumber } from '@/lib/search-params'
import type { Visit } from './pages'

const pageIn = (search: URLSearchParams, name = 'page') => pageNumber(search.get(name) ?? '')

const oneAssignment = ({ params }: Visit) => [pageQuery(assignmentQuery(params.id ?? ''))]

/** The user's own work for the assignment in the address. */
const stateOf = ({ params, email }: Visit) => [
  pageQuery(ownPendingQuery(email), !email),
  pageQuery(progressQuery([params.id ?? '']), !email),
]

/**
 * The queries of each page, by the page's name, for loaders, links and the first HTML. The first query is the page's
 * subject: if its answer is null, the page does not exist, and the title may name its fields.
 */
export const pageQueries: Readonly<Record<string, (visit: Visit) => PageQuery[]>> = {
  assignments: ({ search, email }) => {
    const query = listQueryOf(search)
    return [pageQuery(listQuery(query), !email && isPersonal(query.state))]
  },
  assignment: (visit) =>
    visit.search.get('as') === 'student'
      ? [pageQuery(asStudentQuery(visit.params.id ?? ''))]
      : [
          ...oneAssignment(visit),
          pageQuery(commentsQuery(visit.params.id ?? '', pageIn(visit.search, 'comments'))),
          ...stateOf(visit),
        ],
  'update-assignment': oneAssignment,
  'pending-assignments': ({ search }) => [pageQuery(pendingQuery(pageIn(search)))],
  'my-submissions': ({ search, email }) => [pageQuery(mineQuery(email, mineParams.read(search)))],
  mark: ({ params }) => [pageQuery(markQuery(params.id ?? ''))],
  reviews: ({ search }) => [pageQuery(givenQuery(pageIn(search)))],
  dashboard: () => [pageQuery(dashboardQuery)],
  profile: () => [
    pageQuery(accountQuery),
    pageQuery(signInMethodsQuery),
    pageQuery(sessionsQuery),
    pageQuery(settingsQuery),
  ],
  moderation: ({ search }) => [pageQuery(reportsQuery(pageIn(search)))],
  admin: () => [pageQuery(overviewQuery)],
  circles: ({ search }) => [pageQuery(circlesQuery(pageIn(search)))],
  circle: ({ params }) => [pageQuery(circleQuery(params.id ?? ''))],
  notifications: ({ search }) => {
    const { page, show } = notificationParams.read(search)
    return [pageQuery(notificationsQuery(page, show))]
  },
}

/** The queries of a page for one visit; none if the page has no data. */
export const queriesOf = (page: string, visit: Visit): PageQuery[] => pageQueries[page]?.(visit) ?? []
