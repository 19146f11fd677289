import { mutationOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'

/** The kinds of content that can be reported to moderators. */
export type Reported = 'comment' | 'assignment' | 'review' | 'submission'

const paths = {
  comment: '/api/comment/{id}/report',
  assignment: '/api/assignment/{id}/report',
  review: '/api/reviews/{id}/report',
  submission: '/api/submissions/{id}/report',
} as const satisfies Record<Reported, string>

/** Tells moderators of something, once; a second time changes nothing. */
export const report = mutationOptions({
  mutationFn: async ({ kind, id, reason }: { kind: Reported; id: string; reason: string }) => {
    await answer(api.POST(paths[kind], { params: { path: { id } }, body: { reason } }))
  },
})
