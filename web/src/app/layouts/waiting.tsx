import { plural } from '@lingui/core/macro'
import { useCount } from '@/features/notifications/counts'

export const pending = '/pending-assignments'

/**
 * How many reviews wait for the user, for the link to where they are given: a description, as its name stays, and a
 * badge at its corner, so that nothing moves when the number comes. Nothing for other links.
 */
export function useWaiting(to: string) {
  const count = useCount('reviews')
  if (to !== pending || count === 0) return { title: undefined, badge: null }
  return {
    title: plural(count, { one: '# review waits for you', other: '# reviews wait for you' }),
    badge: (
      <span aria-hidden="true" className="waiting">
        {count}
      </span>
    ),
  }
}
