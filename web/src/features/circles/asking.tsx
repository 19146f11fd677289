import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Avatar, Button, Card, Moment, Pages, RefreshFailed, failed, toast } from '@/components/ui'
import { usePage } from '@/lib/search-params'
import { useRowFocus } from '@/lib/use-row-focus'
import { askingQuery, decideOnAsking, type Asker } from '@/entities/circle/joining'

/** Users who ask to join, oldest first; nothing while there are none. */
export function Asking({ id }: { id: string }) {
  const { page, addressOf } = usePage('asking')
  const { data, error, refetch } = useQuery(askingQuery(id, page))
  const { mutateAsync, isPending, variables } = useMutation(decideOnAsking)
  const heading = useRef<HTMLHeadingElement>(null)
  const { container, onFocus } = useRowFocus<HTMLDivElement>('li', heading)

  async function decide({ userId }: Asker, accept: boolean) {
    try {
      await mutateAsync({ id, userId, accept })
      toast(accept ? t`Accepted` : t`Declined`)
    } catch (failure) {
      void failed(failure)
    }
  }

  const isEmpty = data?.data.length === 0
  if (!data || (isEmpty && !isPending)) return <RefreshFailed error={error} onRetry={() => void refetch()} />
  return (
    <section aria-labelledby="asking-heading">
      <Card className="p-4 sm:p-6">
        <h2 id="asking-heading" ref={heading} tabIndex={-1}>
          {t`Asking to join`}
        </h2>
        <div ref={container} onFocus={onFocus} className="mt-3">
          <ul className="grid">
            {data.data.map((asker) => {
              const { userId, displayName, photoURL, askedAt } = asker
              const busy = isPending && variables.userId === userId
              return (
                <li
                  key={userId}
                  className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 border-t border-line py-3 first:border-t-0 last:pb-0"
                >
                  <span id={`asking-${userId}`} className="flex min-w-0 flex-1 basis-48 items-center gap-3">
                    <span aria-hidden="true" className="flex shrink-0">
                      <Avatar name={displayName} photoURL={photoURL} />
                    </span>
                    <span className="min-w-0 leading-snug">
                      <span className="block font-semibold wrap-anywhere">
                        <bdi>{displayName}</bdi>
                      </span>
                      <span className="text-sm text-soft">
                        <Trans>
                          asked <Moment instant={askedAt} />
                        </Trans>
                      </span>
                    </span>
                  </span>
                  <span className="flex gap-2">
                    <Button
                      size="sm"
                      busy={busy}
                      aria-describedby={`asking-${userId}`}
                      onClick={() => decide(asker, true)}
                    >
                      {t`Accept`}
                    </Button>
                    <Button
                      size="sm"
                      variant="quiet"
                      busy={busy}
                      aria-describedby={`asking-${userId}`}
                      onClick={() => decide(asker, false)}
                    >
                      {t`Decline`}
                    </Button>
                  </span>
                </li>
              )
            })}
          </ul>
        </div>
        <Pages
          page={page}
          totalPages={data.pagination.totalPages}
          addressOf={addressOf}
          onPage={() => heading.current?.focus()}
          part
          label={t`Pages of users who ask`}
        />
      </Card>
    </section>
  )
}
