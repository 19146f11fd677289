import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { Card, RefreshFailed } from '@/components/ui'
import { useRowFocus } from '@/lib/use-row-focus'
import { InvitationAnswers } from '@/entities/circle/invitation-answers'
import { invitationText, myInvitationsQuery } from '@/entities/circle/invited'

/** The invitations that wait for the user's answer; nothing where there are none. `heading` gets the focus of the last. */
export function InvitedCircles({ heading }: { heading: RefObject<HTMLHeadingElement | null> }) {
  const { data, error, refetch } = useQuery(myInvitationsQuery)
  const { container, onFocus } = useRowFocus<HTMLDivElement>('li', heading)
  if (!data || data.length === 0) return <RefreshFailed error={error} onRetry={() => void refetch()} />
  return (
    <section aria-labelledby="invited-heading" className="mb-12">
      <h2 id="invited-heading" className="mb-4">
        {t`Invitations`}
      </h2>
      <Card className="px-4 sm:px-5">
        <div ref={container} onFocus={onFocus}>
          <ul>
            {data.map((invitation) => (
              <li
                key={invitation._id}
                className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line py-4 first:border-t-0"
              >
                <div id={`invited-${invitation._id}`} className="min-w-0 flex-1 basis-56">
                  <bdi className="font-display font-semibold wrap-anywhere">{invitation.circleName}</bdi>
                  <p className="text-sm text-soft">{invitationText(invitation)}</p>
                </div>
                <InvitationAnswers invitation={invitation} describedBy={`invited-${invitation._id}`} />
              </li>
            ))}
          </ul>
        </div>
      </Card>
    </section>
  )
}
