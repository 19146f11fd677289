import { isPersonal, listQueryOf } from '@/features/assignments/list-query'
import { assignmentQuery, listQuery } from '@/features/assignments/queries'
import { discussionPageOf } from '@/features/comments/discussion-page'
import { commentsQuery } from '@/features/comments/threads-query'
import { notificationsQuery, settingsQuery } from '@/features/notifications/queries'
import { accountQuery, sessionsQuery, signInMethodsQuery } from '@/features/profile/queries'
import { dashboardQuery, progressQuery } from '@/features/progress/queries'
import { givenQuery, markQuery } from '@/features/reviews/queries'
import { mineQuery, ownPendingQuery, pendingQuery } from '@/features/submissions/queries'
import { pageOf } from '@/lib/page-of'
import { pageQuery, type PageQuery } from '@/lib/query'
import type { Visit } from './pages'

const oneAssignment = ({ params }: Visit) => [pageQuery(assignmentQuery(params.id ?? ''))]

/** Where a user stands with the assignment that the address names. */
const stateOf = ({ params, email }: Visit) => [
  pageQuery(ownPendingQuery(email), !email),
  pageQuery(progressQuery([params.id ?? '']), !email),
]

/**
 * What each page shows of the server's, by the page's name, so that loaders, links and the first HTML can have it there
 * before the page asks. The first one is what the page is about: where that is null there is no such page, and the
 * title may name its fields.
 */
export const pageQueries: Readonly<Record<string, (visit: Visit) => PageQuery[]>> = {
  assignments: ({ search, email }) => {
    const query = listQueryOf(search)
    return [pageQuery(listQuery(query), !email && isPersonal(query.state))]
  },
  assignment: (visit) => [
    ...oneAssignment(visit),
    pageQuery(commentsQuery(visit.params.id ?? '', discussionPageOf(visit.search))),
    ...stateOf(visit),
  ],
  'update-assignment': oneAssignment,
  'pending-assignments': ({ search }) => [pageQuery(pendingQuery(pageOf(search)))],
  'my-submissions': ({ search, email }) => [pageQuery(mineQuery(email, pageOf(search)))],
  mark: ({ params }) => [pageQuery(markQuery(params.id ?? ''))],
  reviews: ({ search }) => [pageQuery(givenQuery(pageOf(search)))],
  dashboard: () => [pageQuery(dashboardQuery)],
  profile: () => [
    pageQuery(accountQuery),
    pageQuery(signInMethodsQuery),
    pageQuery(sessionsQuery),
    pageQuery(settingsQuery),
  ],
  notifications: ({ search }) => [pageQuery(notificationsQuery(pageOf(search)))],
}

/** What somebody who visits the page of that name is shown; nothing where the page shows nothing of the server's. */
export const queriesOf = (page: string, visit: Visit): PageQuery[] => pageQueries[page]?.(visit) ?? []
