import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
  const reason = <bdi className="wrap-anywhere">{comment.hidden?.reason}</bdi>
  return (
    <section
      ref={section}
      aria-label={t`Your hidden comment`}
      tabIndex={-1}
      className="mt-4 rounded-card border border-line bg-raised p-5"
    >
      <p className="font-semibold">{t`This comment is hidden. Only you can read it.`}</p>
      {comment.hidden?.reason && (
        <p className="mt-1">
          <Trans>Reason: {reason}</Trans>
        </p>
      )}
      <RenderedText html={comment.html ?? ''} className="mt-3 text-soft" />
    </section>
  )
}
