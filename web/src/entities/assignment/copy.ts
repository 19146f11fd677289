import { mutationOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { circleKeys } from '@/entities/circle/keys'
import { invalidate } from '@/lib/query'
import { assignmentKeys } from './queries'

type CopyInput = components['schemas']['CopyAssignmentInputBody']

/** Publishes an assignment again. */
export const copyAssignment = mutationOptions({
  mutationFn: async ({ id, input }: { id: string; input: CopyInput }) => {
    const { data } = await answer(
      api.POST('/api/assignment/{id}/copy', { params: { path: { id } }, body: input }),
    )
    assertConfirmed(data?.insertedId)
    return data.insertedId
  },
  onSuccess: (_data, { input: { circle } }, _before, { client }) =>
    invalidate(client, assignmentKeys.lists, ...(circle ? [circleKeys.one(circle)] : [])),
})
