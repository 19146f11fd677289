import { useState } from 'react'
import type { Comment, Thread } from '@/entities/comment/queries'
import type { CommentPage } from '@/entities/comment/threads-query'

interface Held {
  /** Which page of which discussion. */
  of: string
  latest: CommentPage
  ids: ReadonlySet<string>
  total: number
  replies: ReadonlyMap<string, number>
}

interface NewComments {
  /** The comments on the page: the latest answer without other users' newer comments. */
  shown: Thread[]
  count: number
  /** Shows them. */
  reveal: () => void
}

function holdOf(of: string, latest: CommentPage): Held {
  const all = latest.data.flatMap((thread) => [thread, ...thread.replies])
  return {
    of,
    latest,
    ids: new Set(all.map(({ _id }) => _id)),
    total: latest.pagination.total,
    replies: new Map(latest.data.map(({ _id, replyCount }) => [_id, replyCount])),
  }
}

/**
 * Keeps the discussion in place: new comments of others wait behind a button. Edits, reactions, deletions and the
 * user's own comments show at once. `settled` reports that no newer answer is on its way.
 */
export function useNewComments(of: string, latest: CommentPage, settled: boolean): NewComments {
  const [held, setHeld] = useState<Held | null>(null)
  const reveal = () => setHeld(null)
  if (held === null || held.of !== of) {
    if (settled) setHeld(holdOf(of, latest))
    return { shown: latest.data, count: 0, reveal }
  }
  const isNew = ({ _id, mine }: Comment) => !mine && !held.ids.has(_id)
  const own = latest.data.filter(({ _id, mine }) => mine && !held.ids.has(_id)).length
  const threads = Math.max(0, latest.pagination.total - held.total - own)
  const replies = latest.data.reduce((sum, { _id, replyCount, replies: first }) => {
    const before = held.replies.get(_id)
    if (before === undefined) return sum
    const mine = first.filter((reply) => reply.mine && !held.ids.has(reply._id)).length
    return sum + Math.max(0, replyCount - before - mine)
  }, 0)
  const count = threads + replies
  if (count === 0) {
    if (settled && held.latest !== latest) setHeld(holdOf(of, latest))
    return { shown: latest.data, count, reveal }
  }
  const shown = latest.data
    .filter((thread) => !isNew(thread))
    .map((thread) => ({ ...thread, replies: thread.replies.filter((reply) => !isNew(reply)) }))
  return { shown, count, reveal }
}
