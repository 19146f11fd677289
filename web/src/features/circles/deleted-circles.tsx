import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Button, Card, Pages, RefreshFailed, failed, toast } from '@/components/ui'
import { dayOfDate, formatDay } from '@/lib/dates'
import { usePage } from '@/lib/search-params'
import { useRowFocus } from '@/lib/use-row-focus'
import { MemberCount } from '@/entities/circle/member-count'
import { restoreCircle } from '@/entities/circle/mutations'
import { deletedQuery } from '@/entities/circle/queries'

/** The user's deleted circles, each with a way back; nothing where there are none. */
export function DeletedCircles() {
  const { page, addressOf } = usePage('deleted')
  const { data, error, refetch } = useQuery(deletedQuery(page))
  const { mutateAsync, isPending, variables } = useMutation(restoreCircle)
  const heading = useRef<HTMLHeadingElement>(null)
  const { container, onFocus } = useRowFocus<HTMLDivElement>('li', heading)

  async function restore(id: string, name: string) {
    try {
      await mutateAsync({ id })
      toast(t`${name} is back, with everything in it`)
    } catch (failure) {
      void failed(failure)
    }
  }

  if (!data || (data.data.length === 0 && !isPending)) {
    return <RefreshFailed error={error} onRetry={() => void refetch()} />
  }
  return (
    <section aria-labelledby="deleted-heading" className="mt-12">
      <h2 id="deleted-heading" ref={heading} tabIndex={-1}>
        {t`Deleted`}
      </h2>
      <p className="mt-1 mb-4 max-w-prose text-soft">
        {t`Only a circle’s owners see it once it is deleted. Restoring it brings everything back.`}
      </p>
      <Card className="px-4 sm:px-5">
        <div ref={container} onFocus={onFocus}>
          <ul>
            {data.data.map(({ _id: id, name, members, restorableUntil }) => (
              <li
                key={id}
                className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line py-4 first:border-t-0"
              >
                <div id={`deleted-${id}`} className="min-w-0 flex-1 basis-56">
                  <bdi className="font-display font-semibold wrap-anywhere">{name}</bdi>
                  <p className="text-sm">
                    <MemberCount members={members} />{' '}
                    <span className="text-soft">
                      · {t`kept until ${{ day: formatDay(dayOfDate(new Date(restorableUntil))) }}`}
                    </span>
                  </p>
                </div>
                <Button
                  variant="quiet"
                  size="sm"
                  busy={isPending && variables.id === id}
                  aria-describedby={`deleted-${id}`}
                  onClick={() => restore(id, name)}
                >
                  {t`Restore`}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      </Card>
      <Pages
        page={page}
        totalPages={data.pagination.totalPages}
        addressOf={addressOf}
        onPage={() => heading.current?.focus()}
        part
        label={t`Pages of deleted circles`}
      />
    </section>
  )
}
