import { t } from '@lingui/core/macro'
import { mutationOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { Problem, isProblem } from '@/lib/problem'
import { circleKeys } from '@/entities/circle/keys'
import { invalidate } from '@/lib/query'
import {
  assignmentKeys,
  type Assignment,
  type AssignmentInput,
  type AssignmentList,
} from '@/entities/assignment/queries'

export const createAssignment = mutationOptions({
  mutationFn: async ({ rubric, ...input }: AssignmentInput) => {
    const body = rubric ? { ...input, rubric } : input
    const { data } = await answer(api.POST('/api/assignments', { body }))
    assertConfirmed(data?.insertedId)
    return data.insertedId
  },
  onSuccess: (_data, { circleId }, _before, { client }) =>
    // The creator now reads marks in the circle.
    invalidate(client, assignmentKeys.lists, ...(circleId ? [circleKeys.one(circleId)] : [])),
})

export const updateAssignment = mutationOptions({
  mutationFn: async ({ id, input, over }: Update, { client }) => {
    const path = { id }
    const { data: now, response } = await answer(api.GET('/api/assignment/{id}', { params: { path } }))
    client.setQueryData<Assignment | null>(assignmentKeys.one(id), now)
    if (now.updatedAt !== over) throw changedMeanwhile()
    const header = { 'If-Match': response.headers.get('ETag') ?? '*' }
    const { data } = await answer(api.PUT('/api/assignment/{id}', { params: { path, header }, body: input }))
    assertConfirmed(data?.matchedCount)
  },
  onSuccess: (_data, { id }, _before, { client }) =>
    invalidate(client, assignmentKeys.lists, assignmentKeys.one(id)),
  onError: (error, { id }, _before, { client }) => {
    if (isProblem(error, 'changed')) invalidate(client, assignmentKeys.one(id))
  },
})

interface Update {
  id: string
  input: AssignmentInput
  /** `updatedAt` of the version that was changed. A newer version refuses the update. */
  over: string
}

/** The server's refusal of an outdated If-Match, without a call. */
const changedMeanwhile = () =>
  new Problem(t`This assignment has been changed in another window.`, { status: 412, code: 'changed' })

/** Takes an assignment out of all lists at once, and puts it back if the server refuses. */
export const deleteAssignment = mutationOptions({
  mutationFn: async (id: string) => {
    try {
      const { data } = await answer(api.DELETE('/api/assignment/{id}', { params: { path: { id } } }))
      assertConfirmed(data?.deletedCount)
    } catch (error) {
      // Another user has already deleted it.
      if (!isProblem(error, 'not-found')) throw error
    }
  },
  onMutate: async (id, { client }) => {
    // A list that was asked for before would bring it back.
    await client.cancelQueries({ queryKey: assignmentKeys.lists })
    const before = client.getQueriesData<AssignmentList>({ queryKey: assignmentKeys.lists })
    client.setQueriesData<AssignmentList>(
      { queryKey: assignmentKeys.lists },
      (list) => list && { ...list, data: list.data.filter(({ _id }) => _id !== id) },
    )
    return before
  },
  onError: (_error, _id, before, { client }) => {
    for (const [key, list] of before ?? []) client.setQueryData(key, list)
  },
  onSuccess: (_data, id, _before, { client }) =>
    client.setQueryData<Assignment | null>(assignmentKeys.one(id), null),
  onSettled: (_data, _error, _id, _before, { client }) => invalidate(client, assignmentKeys.lists),
})
