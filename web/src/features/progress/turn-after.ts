import type { QueryClient } from '@tanstack/react-query'
import { turnText, type Turn } from '@/entities/review/your-turn'
import { progressQuery, turnOf } from '@/entities/progress/queries'

/** What the viewer owes and can review after a write; undefined where the server does not answer. */
async function turnNow(client: QueryClient, assignmentId: string): Promise<Turn | undefined> {
  try {
    const [progress] = await client.fetchQuery({ ...progressQuery([assignmentId]), staleTime: 0 })
    return progress && turnOf(progress)
  } catch {
    return undefined
  }
}

/** What follows a hand-in. */
interface AfterHandIn {
  /** What the viewer owes; '' for nothing, and where the server does not answer. */
  text: string
  owes: boolean
}

export async function turnAfter(client: QueryClient, assignmentId: string): Promise<AfterHandIn> {
  const turn = await turnNow(client, assignmentId)
  return { text: turn ? turnText(turn) : '', owes: turn !== undefined && turn.owed > 0 }
}

/** What follows a review. */
export interface AfterReview {
  /** How many submissions of the assignment are left for the viewer to review. */
  left: number
  /** What the viewer has done, after the last review; '' before it, and where the server does not answer. */
  ending: string
}

export async function afterReview(client: QueryClient, assignmentId: string): Promise<AfterReview> {
  const turn = await turnNow(client, assignmentId)
  const left = turn?.available ?? 0
  return { left, ending: turn && left === 0 ? turnText(turn) : '' }
}
