import {
  assignmentKey,
  listKey,
  listQueryOf,
  seedList,
  type Assignment,
  type AssignmentList,
} from '@/features/assignments/api'
import type { Boot } from '@/lib/boot'
import { seed, seedFailure } from '@/lib/cache'
import { Problem } from '@/lib/problem'

/** Takes over what the first HTML brought along, so that nothing is fetched before the page shows. */
export function seedFirstPage(boot: Boot, { pathname, search }: Location): void {
  if (boot.data && 'list' in boot.data) {
    const list = boot.data.list.answer as AssignmentList
    seed(listKey(listQueryOf(new URLSearchParams(search))), list)
    seedList(list)
  }
  if (boot.data && 'assignment' in boot.data) {
    const assignment = boot.data.assignment as Assignment
    seed(assignmentKey(assignment._id), assignment)
  }
  const id = boot.notFound && /^\/assignment\/([^/]+)$/.exec(pathname)?.[1]
  if (id) {
    const gone = new Problem('There is no such assignment.', { status: 404, code: 'not-found' })
    seedFailure(assignmentKey(decodeURIComponent(id)), gone)
  }
}
