import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { assertConfirmed } from '@/lib/assert-confirmed'
import { previousOfSubject, usuallyFreshMs } from '@/lib/query'
import { oneOf, pageNumber, searchParams, words } from '@/lib/search-params'
import { changing } from './mutations'
import { circleKeys } from '@/entities/circle/keys'
import { type Role } from '@/entities/circle/queries'

type Schemas = components['schemas']

/** A member, with what only organizers see where the viewer is one. */
export type Member = Schemas['CircleMember'] &
  Partial<
    Pick<Schemas['OrganizedMember'], 'email' | 'name' | 'familyName' | 'lastSeenAt' | 'may' | 'extraDays'>
  >

export type RosterResult = Schemas['EnrolledRoster']

/** Members on a page: most classes are on one. */
const membersAtOnce = 30

export const memberParams = searchParams({
  search: words(200),
  role: oneOf('owner', 'organizer', 'member'),
  label: words(40),
  sort: oneOf('name', 'family'),
  page: pageNumber,
})

export type MemberQuery = ReturnType<typeof memberParams.read>

/** A page of the members of a circle. */
export const membersQuery = (id: string, query: MemberQuery) => {
  const { page, search, role, label, sort } = query
  const queryKey = [...circleKeys.one(id), 'members', query]
  return queryOptions({
    queryKey,
    queryFn: async () => {
      const { data } = await answer(
        api.GET('/api/circle/{id}/members', {
          params: {
            path: { id },
            query: {
              page,
              limit: membersAtOnce,
              search: search || undefined,
              role: role || undefined,
              label: label || undefined,
              sort: sort || undefined,
            },
          },
        }),
      )
      assertConfirmed(Array.isArray(data?.data))
      const list: { data: Member[]; pagination: Schemas['Pagination'] } = data
      return list
    },
    placeholderData: previousOfSubject(queryKey),
    staleTime: usuallyFreshMs,
    meta: { staleOn: ['circle.changed'], subject: id },
  })
}

/** The owners of a circle. */
export const ownersQuery = (id: string) =>
  membersQuery(id, { page: 1, search: '', role: 'owner', label: '', sort: '' })

interface MemberChange {
  id: string
  userId: string
  input: { role?: Role; label?: string; name?: string; familyName?: string; extraDays?: number }
}

export const changeMember = changing(({ id, userId, input }: MemberChange) =>
  answer(api.PATCH('/api/circle/{id}/members/{userId}', { params: { path: { id, userId } }, body: input })),
)

export const removeMember = changing(({ id, userId }: { id: string; userId: string }) =>
  answer(api.DELETE('/api/circle/{id}/members/{userId}', { params: { path: { id, userId } } })),
)

/** Asks a member to become an owner. */
export const handOver = changing(({ id, userId }: { id: string; userId: string }) =>
  answer(api.POST('/api/circle/{id}/handover', { params: { path: { id } }, body: { userId } })),
)

export const acceptHandover = changing(({ id }: { id: string }) =>
  answer(api.POST('/api/circle/{id}/handover/accept', { params: { path: { id } } })),
)

interface RosterInput {
  id: string
  /** The bytes as they were chosen: the server finds out their encoding. */
  file: Blob
  dryRun: boolean
  /** Columns with unknown headings: 'email=#1,name=#2'. */
  columns?: string | undefined
  /** The key of a dry run: ends the memberships of those who are missing. */
  end?: string | undefined
}

/** A list of users as a class register has them. A dry run changes nothing. */
export const sendRoster = mutationOptions({
  mutationFn: async ({ id, file, dryRun, columns, end }: RosterInput) =>
    (
      await answer(
        api.POST('/api/circle/{id}/roster', {
          params: { path: { id }, query: { dryRun: dryRun ? 'true' : 'false', columns, end } },
          body: file as unknown as string,
          bodySerializer: (body) => body,
          headers: { 'Content-Type': 'text/csv' },
        }),
      )
    ).data,
})

/** The members as a roster, with a byte order mark for spreadsheets. */
export const fetchMembers = mutationOptions({
  mutationFn: async (id: string): Promise<Blob> =>
    (
      await answer(
        api.GET('/api/circle/{id}/members.csv', {
          params: { path: { id }, query: { bom: 'true' } },
          parseAs: 'blob',
        }),
      )
    ).data,
})
