import { useEffect } from 'react'
import { HomePage } from '@/features/home/home-page'
import { lazyPart, usePart } from '@/lib/lazy-part'
import { useUser } from '@/lib/session'

const today = lazyPart(() => import('@/features/progress/today-at-home'))

export function Component() {
  const user = useUser()
  return <HomePage today={user && <Today />} />
}

/** The user's day. Its room is kept, so that nothing moves as its code and its answer arrive. */
function Today() {
  const state = usePart(today)
  useEffect(() => void today.load(), [])
  return (
    <section className="h-108 min-w-0 sm:h-84">
      <h2>Today</h2>
      {state.status === 'ready' && <state.part.default />}
    </section>
  )
}
