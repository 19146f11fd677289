import { t } from '@lingui/core/macro'
import { useEffect, useId } from 'react'
import { BellIcon, Button, ErrorState, Loading } from '@/components/ui'
import { lazyPart } from '@/lib/lazy-part'
import { fetchCode } from '@/lib/load-code'
import { explain } from '@/lib/problem'
import { withTexts } from '@/lib/texts'
import { useUnfolded } from '@/lib/use-unfolded'
import { whenIdle } from '@/lib/when-idle'
import { useCount } from './counts'

const BellPanel = lazyPart(
  withTexts(() => import('./bell-panel')),
  (failure, { onClose }) =>
    failure ? (
      <>
        <ErrorState message={explain(failure.error)} onRetry={failure.retry} />
        <Button variant="plain" onClick={onClose}>
          {t`Close`}
        </Button>
      </>
    ) : (
      <Loading />
    ),
)

/** Begins to ask for the header's numbers when the page has nothing better to do. */
function watchWhenIdle(email: string): () => void {
  const left = new AbortController()
  const watch = async () => {
    try {
      const { watchCounts } = await fetchCode(() => import('./watch-counts'))
      await watchCounts(email, left.signal)
    } catch {
      // Without its code the header shows no numbers; the bell opens nevertheless.
    }
  }
  const cancel = whenIdle(() => void watch(), 2_000)
  return () => {
    cancel()
    left.abort()
  }
}

/** The bell in the header: a dot where something was not read, and a list of the newest that opens below it. */
export function Bell({ email }: { email: string }) {
  const unread = useCount('unread')
  const id = useId()
  const { open, unfold, around } = useUnfolded<HTMLDivElement>()
  useEffect(() => watchWhenIdle(email), [email])
  return (
    <div ref={around} className="relative">
      <button
        type="button"
        aria-label={unread > 0 ? t`Notifications, ${unread} unread` : t`Notifications`}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        {...BellPanel.opener}
        onClick={() => unfold(!open)}
        className="relative grid size-11 place-items-center rounded-full hover:bg-line/60"
      >
        <BellIcon />
        {unread > 0 && (
          <span
            data-dot
            className="absolute end-2 top-2 size-3 rounded-full border-2 border-paper bg-red"
            aria-hidden="true"
          />
        )}
      </button>
      {open && (
        <section
          id={id}
          aria-label={t`Notifications`}
          className="fixed inset-x-4 z-40 mt-2 max-h-[min(34rem,75dvh)] overflow-y-auto rounded-card border border-line bg-raised shadow-lift sm:absolute sm:inset-x-auto sm:end-0 sm:w-96"
        >
          <BellPanel onClose={() => unfold(false)} />
        </section>
      )}
    </div>
  )
}
