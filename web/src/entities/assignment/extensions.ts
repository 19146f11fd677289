import { mutationOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { assertConfirmed } from '@/lib/assert-confirmed'

/** Gives a user a due date of their own for an assignment, or takes it away with null. */
export const extend = mutationOptions({
  mutationFn: async ({ id, userId, dueDate }: { id: string; userId: string; dueDate: string | null }) => {
    const { data } = await answer(
      api.PUT('/api/assignment/{id}/extensions/{userId}', {
        params: { path: { id, userId } },
        body: { dueDate },
      }),
    )
    assertConfirmed(data)
  },
})
