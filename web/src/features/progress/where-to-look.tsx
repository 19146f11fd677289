import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { components } from '@/api/schema.gen'
import { percent } from '@/lib/rounded'
import { isOpen, looksQuery } from '@/entities/result/queries'

interface WhereToLookProps {
  assignmentId: string
  /** Opens a submission. */
  onOpen: (submissionId: string) => void
}

/** The submissions of which a mark of the viewer's helps most. */
export function WhereToLook({ assignmentId, onOpen }: WhereToLookProps) {
  const { data } = useQuery(looksQuery(assignmentId))
  // Of open ones the mark is decided in another way.
  const looks = data?.data.filter((look) => !isOpen(look)) ?? []
  if (looks.length === 0) return null
  return (
    <section aria-labelledby="where-to-look" className="rounded-card border border-line bg-raised p-5">
      <h3 id="where-to-look" className="text-base">
        {t`Where one look helps most`}
      </h3>
      <p className="mt-1 max-w-prose text-sm text-soft">
        <Trans>
          Open one and mark it yourself: your mark settles it, and from then on it shows how its reviewers
          mark. The figure is the share of total uncertainty this is expected to remove.
        </Trans>
      </p>
      <ol className="mt-2 grid grid-cols-1 gap-1">
        {looks.map((look, at) => (
          <li key={look._id}>
            <button
              type="button"
              className="link min-h-8 text-start wrap-anywhere"
              onClick={() => onOpen(look._id)}
            >
              <WhatItRemoves look={look} first={at === 0} />
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

interface WhatItRemovesProps {
  look: components['schemas']['Look']
  /** The one to mark first. */
  first: boolean
}

/** Whose submission it is, and how much uncertainty a mark of it removes. */
function WhatItRemoves({ look: { submitterName, status, fall }, first }: WhatItRemovesProps) {
  const who = <bdi>{submitterName ?? t`Unknown`}</bdi>
  const share = percent(fall)
  if (status === 'completed') {
    return first ? (
      <Trans>
        {who}: mark this one first, {share} less uncertainty, has its mark
      </Trans>
    ) : (
      <Trans>
        {who}: {share} less uncertainty, has its mark
      </Trans>
    )
  }
  return first ? (
    <Trans>
      {who}: mark this one first, {share} less uncertainty
    </Trans>
  ) : (
    <Trans>
      {who}: {share} less uncertainty
    </Trans>
  )
}
