import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { RenderedText } from '@/components/ui'
import { locatedQuery } from '@/entities/comment/queries'

interface HiddenCommentProps {
  assignmentId: string
  id: string
}

/** The viewer's own comment while it is hidden, with the reason: the target of its notification. */
export function HiddenComment({ assignmentId, id }: HiddenCommentProps) {
  const { data } = useQuery(locatedQuery(assignmentId, id))
  const comment = data?.hidden
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [id])
  if (!comment) return null
  return (
    <section
      ref={section}
      aria-label="Your hidden comment"
      tabIndex={-1}
      className="mt-4 rounded-card border border-line bg-raised p-5"
    >
      <p className="font-semibold">This comment is hidden. Only you can read it.</p>
      {comment.hidden?.reason && (
        <p className="mt-1">
          Reason: <bdi className="wrap-anywhere">{comment.hidden.reason}</bdi>
        </p>
      )}
      <RenderedText html={comment.html ?? ''} className="mt-3 text-soft" />
    </section>
  )
}
