import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Button, failed, showConfirm, toast } from '@/components/ui'
import { dayOfDate, formatDay } from '@/lib/dates'
import { isProblem } from '@/lib/problem'
import { giveBackReview } from '@/entities/submission/mutations'
import { reservedQuery, type ReviewTask } from '@/entities/submission/queries'

interface ReservedProps {
  review: ReviewTask
  /** The user asked for another submission while this one is still reserved for them. */
  unfinished: boolean
  onGivenBack: () => void
}

/** How long a submission is reserved, and the way out of it. */
export function Reserved({ review, unfinished, onGivenBack }: ReservedProps) {
  const { submissionId } = review
  const { data: held } = useQuery(reservedQuery) // a question prolongs it
  const until = held?.submissionId === submissionId ? held.until : review.until
  const isOver = useIsOver(until)
  const { mutateAsync, isPending } = useMutation(giveBackReview)

  async function giveBack() {
    const sure = await showConfirm({
      title: t`Give it back?`,
      text: t`Another user will review it, and you will not get it again. You can give back two a day; work that you report first does not count.`,
      confirm: t`Give back`,
    })
    if (!sure) return
    try {
      await mutateAsync(submissionId)
    } catch (error) {
      // Its time was over: it is given back already.
      if (!isProblem(error, 'not-found')) {
        void failed(error)
        return
      }
    }
    onGivenBack()
    toast(t`Given back. Thank you for looking.`)
  }

  return (
    <div className="grid gap-2 text-sm">
      <div role="status">
        {isOver && (
          <p className="font-semibold text-amber">
            {t`It is no longer reserved for you. Your draft is saved. You can still submit it if a slot is free.`}
          </p>
        )}
      </div>
      {unfinished && (
        <p className="font-semibold">{t`Finish or return this review before taking another.`}</p>
      )}
      {!isOver && (
        <p className="font-semibold">{t`Reserved for you until ${{ moment: momentOf(until) }}.`}</p>
      )}
      <p className="text-soft">
        {t`Reviews are anonymous in both directions. The document’s owner may see that you open it.`}
      </p>
      {review.countsAccuracy && (
        <p>
          <Trans>
            This circle counts accuracy: exemplars by owners and organizers are among the submissions, and
            organizers see in the marks how close your marks for those come to the known ones.
          </Trans>
        </p>
      )}
      <div>
        <Button variant="plain" size="sm" className="-ms-3" busy={isPending} onClick={giveBack}>
          {isPending ? t`Giving back…` : t`Give back`}
        </Button>
      </div>
    </div>
  )
}

/** Day and time here: '2026/11/24 18:05'. */
function momentOf(instant: string): string {
  const date = new Date(instant)
  return `${formatDay(dayOfDate(date))} ${date.toTimeString().slice(0, 5)}`
}

/** Reports whether an instant has passed; it changes while the page is open. */
function useIsOver(instant: string): boolean {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const left = Date.parse(instant) - Date.now()
    if (left <= 0) return
    // A page does not stay open for longer than a timer can wait.
    const timer = setTimeout(() => setNow(Date.now()), Math.min(left, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  }, [instant])
  return Date.parse(instant) <= now
}
