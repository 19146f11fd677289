import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { Button, Loading } from '@/components/ui'
import { explain } from '@/lib/problem'
import { CommentItem } from './comment-item'
import { Composer, type OnPosted } from './composer'
import { repliesQuery, type Thread } from '@/entities/comment/queries'

interface CommentThreadProps {
  assignmentId: string
  thread: Thread
  /** The reader may delete other users' comments. */
  moderates: boolean
  /** Whether the user may write here. */
  open: boolean
  /** The thread to show with all replies, as a link leads to one of them. */
  opened: string | null
  /** The comment that a link leads to. */
  target: string | undefined
  onPosted: OnPosted
}

/** A comment and its first three replies; a button shows the others. */
export function CommentThread({
  assignmentId,
  thread,
  moderates,
  open,
  opened,
  target,
  onPosted,
}: CommentThreadProps) {
  const [all, setAll] = useState(false)
  const [replying, setReplying] = useState(false)
  const wanted = all || (opened !== null && opened === thread._id)
  const further = useInfiniteQuery({ ...repliesQuery(assignmentId, thread._id), enabled: wanted })
  const replies = (wanted && further.data?.pages.flatMap(({ data }) => data)) || thread.replies
  const item = useRef<HTMLLIElement>(null)
  useFocusOnTarget(item, target, replies.length, thread.replyCount)
  const common = { assignmentId, moderates, open, onReply: () => setReplying(true) }
  const showMore = () => {
    if (!wanted) setAll(true)
    else void further.fetchNextPage()
  }
  return (
    <li ref={item}>
      <CommentItem comment={thread} {...common} />
      {thread.replyCount > 0 && (
        <>
          <ol className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4 border-s-2 border-line ps-4 sm:ms-5">
            {replies.map((reply) => (
              <li key={reply._id}>
                <CommentItem comment={reply} {...common} />
              </li>
            ))}
          </ol>
          <div className="sm:ms-5">
            {wanted && further.isPending && !further.error && <Loading label={t`Loading replies`} />}
            {wanted && further.error && (
              <p role="alert" className="text-sm text-red">
                {explain(further.error)}
              </p>
            )}
            {(wanted ? further.hasNextPage || further.error !== null : thread.replyCount > 3) && (
              <Button variant="plain" size="sm" busy={further.isFetchingNextPage} onClick={showMore}>
                {t`Show more replies`}
              </Button>
            )}
          </div>
        </>
      )}
      {replying && (
        <div className="mt-3 sm:ms-5">
          <Composer
            assignmentId={assignmentId}
            parentId={thread._id}
            label={t`Write a reply`}
            submit={t`Send reply`}
            draft={`reply ${thread._id}`}
            takesFocus
            onCancel={() => {
              setReplying(false)
              document.getElementById(`comment-${thread._id}`)?.focus()
            }}
            onPosted={(comment, writes) => {
              if (!writes) setReplying(false)
              onPosted(comment, writes)
            }}
          />
        </div>
      )}
    </li>
  )
}

/** Focuses the comment that the user followed a link to, or wrote, once it is there. */
function useFocusOnTarget(
  item: RefObject<HTMLElement | null>,
  target: string | undefined,
  replies: number,
  // Replies that are here show once the thread knows that it has any.
  count: number,
): void {
  const done = useRef<string>(undefined)
  useEffect(() => {
    if (!target || done.current === target) return
    const found = item.current?.querySelector<HTMLElement>(`#comment-${target}`)
    if (!found) return
    done.current = target
    found.scrollIntoView({ block: 'center' })
    found.focus({ preventScroll: true })
  }, [item, target, replies, count])
}
