import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button, EmptyState, ListPage, PageHead } from '@/components/ui'
import { usePage } from '@/lib/search-params'
import { CircleCard } from './circle-card'
import { DeletedCircles } from './deleted-circles'
import { InvitedCircles } from './invited-circles'
import { ListedCircles } from './listed-circles'
import { linkDialog, newCircleDialog } from './parts'
import { circlesQuery } from '@/entities/circle/queries'

/** The user's circles, and those that anyone can find. */
export function CirclesPage() {
  const { page } = usePage()
  const circles = useQuery(circlesQuery(page))
  const heading = useRef<HTMLHeadingElement>(null)
  const [open, setOpen] = useState<'new' | 'link' | null>(null)
  const close = () => setOpen(null)
  const isEmpty = circles.data?.pagination.total === 0

  const actions = (
    <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:grow">
      <Button variant="quiet" {...linkDialog.opener} onClick={() => setOpen('link')}>
        {t`Join with a link`}
      </Button>
      <Button
        variant={isEmpty ? 'primary' : 'quiet'}
        {...newCircleDialog.opener}
        onClick={() => setOpen('new')}
      >
        {t`New circle`}
      </Button>
    </div>
  )

  return (
    <div className="page">
      <PageHead title={t`Circles`} art="circles" heading={heading}>
        {t`A circle is a private group: a class, a team, a reading club. Only its members see what is in it.`}
      </PageHead>
      <InvitedCircles heading={heading} />
      <section aria-labelledby="mine-heading">
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
          <h2 id="mine-heading">{t`Your circles`}</h2>
          {!isEmpty && actions}
        </div>
        <ListPage
          list={circles}
          totalPages={circles.data?.pagination.totalPages}
          loading={t`Loading your circles`}
          heading={heading}
          label={t`Pages of your circles`}
          empty={
            isEmpty && (
              <EmptyState message={t`You are in no circle yet.`} art="circles">
                <p className="-mt-2 max-w-prose text-soft">
                  {t`Start one and invite others, or open an invitation that you were sent.`}
                </p>
                {actions}
              </EmptyState>
            )
          }
        >
          {({ data }) => (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-3">
              {data.map((circle) => (
                <CircleCard key={circle._id} circle={circle} />
              ))}
            </div>
          )}
        </ListPage>
      </section>
      <DeletedCircles />
      <ListedCircles />
      {open === 'new' && <newCircleDialog.Dialog onClose={close} />}
      {open === 'link' && <linkDialog.Dialog onClose={close} />}
    </div>
  )
}
