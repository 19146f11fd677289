import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { ReviewNext } from '@/entities/review/review-next'
import { useUser } from '@/lib/session'
import { turnText } from '@/entities/review/your-turn'
import { progressQuery, turnOf } from '@/entities/progress/queries'

/** The reviews that the viewer owes for an assignment and can give, on its page; nothing for its creator. */
export function YourTurn({ assignmentId }: { assignmentId: string }) {
  const user = useUser()
  const { data } = useQuery({ ...progressQuery([assignmentId]), enabled: user !== null })
  const id = useId()
  const progress = data?.find((one) => one.assignmentId === assignmentId)
  const turn = progress && progress.state !== 'mine' && turnOf(progress)
  const text = turn ? turnText(turn) : ''
  if (!turn || !text) return null
  return (
    <section
      aria-label={t`Your turn`}
      className="mt-4 grid justify-items-start gap-3 rounded-control border border-line border-s-4 border-s-highlighter p-4"
    >
      <p id={id}>{text}</p>
      {turn.available > 0 && <ReviewNext assignmentId={assignmentId} describedBy={id} />}
    </section>
  )
}
