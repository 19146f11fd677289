import type { QueryClient } from '@tanstack/react-query'
import { turnText } from '@/lib/your-turn'
import { progressQuery, turnOf } from './queries'

/** What the viewer owes after a hand-in; '' for nothing, and where the server does not say. */
export async function turnAfter(client: QueryClient, assignmentId: string): Promise<string> {
  try {
    const [progress] = await client.fetchQuery({ ...progressQuery([assignmentId]), staleTime: 0 })
    const turn = progress && turnOf(progress)
    return turn ? turnText(turn) : ''
  } catch {
    return ''
  }
}
