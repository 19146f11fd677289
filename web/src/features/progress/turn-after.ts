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

/** What the viewer owes after a hand-in; '' for nothing, and where the server does not answer. */
export async function turnAfter(client: QueryClient, assignmentId: string): Promise<string> {
  const turn = await turnNow(client, assignmentId)
  return turn ? turnText(turn) : ''
}

/** How many submissions of an assignment are left for the viewer to review; 0 where the server does not answer. */
export async function reviewsLeft(client: QueryClient, assignmentId: string): Promise<number> {
  return (await turnNow(client, assignmentId))?.available ?? 0
}
