import { useEffect, useRef } from 'react'
import { RenderedText } from '@/components/ui'
import type { Comment } from '@/entities/comment/queries'

/** The viewer's own comment that was hidden, with the reason: the target of its notification. */
export function HiddenComment({ comment: { _id: id, html, hidden } }: { comment: Comment }) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus(), [id])
  return (
    <section
      ref={section}
      aria-label="Your hidden comment"
      tabIndex={-1}
      className="mt-4 rounded-card border border-line bg-raised p-5"
    >
      <p className="font-semibold">This comment is hidden. Only you can read it.</p>
      {hidden?.reason && (
        <p className="mt-1">
          Reason: <bdi className="wrap-anywhere">{hidden.reason}</bdi>
        </p>
      )}
      <RenderedText html={html ?? ''} className="mt-3 text-soft" />
    </section>
  )
}
