import { mutationOptions } from '@tanstack/react-query'
import { createContext } from 'react'
import { answer, api } from '@/api/client'

/** The kinds of content that can be reported. */
export type Reported = 'comment' | 'assignment' | 'review' | 'submission'

const paths = {
  comment: '/api/comment/{id}/report',
  assignment: '/api/assignment/{id}/report',
  review: '/api/reviews/{id}/report',
  submission: '/api/submissions/{id}/report',
} as const satisfies Record<Reported, string>

/** The circle of the assignment that content belongs to. */
export const InCircle = createContext<string | null | undefined>(null)

/** Those who decide on a report in a circle. */
export type ReportTo = 'organizers' | 'moderators'

interface NewReport {
  kind: Reported
  id: string
  reason: string
  to?: ReportTo
}

/** Reports something, once; a second time changes nothing. */
export const report = mutationOptions({
  mutationFn: async ({ kind, id, reason, to }: NewReport) => {
    await answer(api.POST(paths[kind], { params: { path: { id } }, body: { reason, to } }))
  },
})
