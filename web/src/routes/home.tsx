import { t } from '@lingui/core/macro'
import { HomePage } from '@/features/home/home-page'
import { lazyPart } from '@/lib/lazy-part'
import { withTexts } from '@/lib/texts'
import { useUser } from '@/lib/session'

const TodayAtHome = lazyPart(
  withTexts(() => import('@/features/progress/today-at-home')),
  () => null,
)

export function Component() {
  const user = useUser()
  return <HomePage today={user && <Today />} />
}

/** The user's day. Its room is kept, so that nothing moves as its code and its answer arrive. */
function Today() {
  return (
    <section className="h-108 min-w-0 sm:h-84">
      <h2>{t`Today`}</h2>
      <TodayAtHome />
    </section>
  )
}
