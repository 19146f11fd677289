import { t } from '@lingui/core/macro'
import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { Problem, isProblem } from '@/lib/problem'
import { invalidate, partingKey, unobserved } from '@/lib/query'
import { circleKeys } from '@/entities/circle/keys'
import { circleQuery, type Circle, type CircleFields } from '@/entities/circle/queries'

/** What the owners of a circle decide. */
export type Settings = Required<CircleFields>

export const settingsOf = ({
  name,
  description,
  listed,
  join,
  publishing,
  grading,
  countsAccuracy,
}: Circle): Settings => ({
  name,
  description,
  listed,
  join,
  publishing,
  grading,
  countsAccuracy,
})

/** Makes a circle and everything in it stale, and the lists that show it. */
const changed = (client: QueryClient, id: string) => invalidate(client, circleKeys.one(id), circleKeys.lists)

/** A call that changes a circle; it is shown anew after a refusal too, which another member may have caused. */
export const changing = <Input extends { id: string }>(mutationFn: (input: Input) => Promise<unknown>) =>
  mutationOptions({
    mutationFn,
    onSettled: (_data, _error, { id }: Input, _before, { client }) => changed(client, id),
  })

export const createCircle = mutationOptions({
  mutationFn: async (input: CircleFields) => {
    const { data } = await answer(api.POST('/api/circles', { body: input }))
    assertConfirmed(data?.insertedId)
    return data.insertedId
  },
  onSuccess: (_data, _input, _before, { client }) => invalidate(client, circleKeys.lists),
})

interface Update {
  id: string
  settings: Settings
  /** The settings that were changed. Newer ones refuse the update. */
  over: Settings
}

export const updateCircle = mutationOptions({
  mutationFn: async ({ id, settings, over }: Update, { client }) => {
    const path = { id }
    const { data: now, response } = await answer(api.GET('/api/circle/{id}', { params: { path } }))
    client.setQueryData<Circle | null>(circleQuery(id).queryKey, now)
    if (JSON.stringify(settingsOf(now)) !== JSON.stringify(over)) throw changedMeanwhile()
    const header = { 'If-Match': response.headers.get('ETag') ?? '*' }
    const { data } = await answer(api.PUT('/api/circle/{id}', { params: { path, header }, body: settings }))
    assertConfirmed(data?.matchedCount)
  },
  onSuccess: (_data, { id }, _before, { client }) => changed(client, id),
  onError: (error, { id }, _before, { client }) => {
    if (isProblem(error, 'changed')) invalidate(client, circleKeys.one(id))
  },
})

/** The server's refusal of an outdated If-Match, without a call. */
const changedMeanwhile = () =>
  new Problem(t`Another owner has changed these settings. Review them and save again.`, {
    status: 412,
    code: 'changed',
  })

export const archiveCircle = changing(({ id, archive }: { id: string; archive: boolean }) => {
  const params = { path: { id } }
  return archive
    ? answer(api.POST('/api/circle/{id}/archive', { params }))
    : answer(api.POST('/api/circle/{id}/unarchive', { params }))
})

/** A circle with everything in it, whole: a connection that breaks is an error. */
export const exportCircle = mutationOptions({
  mutationFn: async ({ id, codes }: { id: string; codes: boolean }): Promise<Blob> => {
    const params = { path: { id }, query: { codes: codes ? 'true' : 'false' } } as const
    return (await answer(api.GET('/api/circle/{id}/export', { params, parseAs: 'blob' }))).data
  },
})

/**
 * A call that takes a circle from the user's sight. The page that shows it leads elsewhere before its answers become
 * stale: the server refuses them by then.
 */
const parting = (id: string, call: () => Promise<unknown>, leave: () => Promise<void>) =>
  mutationOptions({
    mutationKey: partingKey(id),
    mutationFn: async (_input: void, { client }) => {
      await call()
      await leave()
      await unobserved(client, circleKeys.one(id))
    },
    onSettled: (_data, _error, _input: void, _before, { client }) => changed(client, id),
  })

/** Deletes a circle, then calls `leave`, which leads to another page. */
export const deleteCircle = (id: string, leave: () => Promise<void>) =>
  parting(id, () => answer(api.DELETE('/api/circle/{id}', { params: { path: { id } } })), leave)

/** Ends the user's membership, then calls `leave`, which leads to another page. */
export const leaveCircle = (id: string, leave: () => Promise<void>) =>
  parting(id, () => answer(api.POST('/api/circle/{id}/leave', { params: { path: { id } } })), leave)

export const restoreCircle = changing(({ id }: { id: string }) =>
  answer(api.POST('/api/circle/{id}/restore', { params: { path: { id } } })),
)
