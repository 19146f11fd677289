import { useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { BellIcon, Button, ErrorState, Loading } from '@/components/ui'
import { lazyPart, usePart } from '@/lib/lazy-part'
import { fetchCode } from '@/lib/load-code'
import { loadQueryClient } from '@/lib/load-query-client'
import { explain } from '@/lib/problem'
import { useUnread } from './unread'

const panel = lazyPart(async () => {
  const [part] = await Promise.all([import('./bell-panel'), loadQueryClient()])
  return part.default
})

/** Begins to ask how many notifications there are when the page has nothing better to do. */
function watchWhenIdle(email: string): () => void {
  let stop: (() => void) | undefined
  let stopped = false
  const begin = async () => {
    try {
      const [{ watchUnread, tellTimeZone }] = await Promise.all([
        fetchCode(() => import('./watch-unread')),
        loadQueryClient(),
      ])
      if (stopped) return
      stop = watchUnread()
      await tellTimeZone(email)
    } catch {
      // Without its code the bell shows no number; it opens nevertheless.
    }
  }
  const idle = () =>
    'requestIdleCallback' in window
      ? window.requestIdleCallback(() => void begin(), { timeout: 2_000 })
      : setTimeout(() => void begin(), 500)
  if (document.readyState === 'complete') idle()
  else window.addEventListener('load', idle, { once: true })
  return () => {
    stopped = true
    window.removeEventListener('load', idle)
    stop?.()
  }
}

/** The bell in the header: a dot where something was not read, and a list of the newest that opens below it. */
export function Bell({ email }: { email: string }) {
  const unread = useUnread()
  const { key } = useLocation()
  const id = useId()
  const around = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  // It is open on the page it was opened on; going anywhere closes it.
  const [openOn, setOpenOn] = useState<string | null>(null)
  const open = openOn === key
  useEffect(() => watchWhenIdle(email), [email])
  useEffect(() => {
    if (!open) return
    const close = (event: KeyboardEvent | PointerEvent) => {
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return
        button.current?.focus()
      } else if (event.target instanceof Node && around.current?.contains(event.target)) return
      setOpenOn(null)
    }
    document.addEventListener('keydown', close)
    document.addEventListener('pointerdown', close)
    return () => {
      document.removeEventListener('keydown', close)
      document.removeEventListener('pointerdown', close)
    }
  }, [open])
  return (
    <div ref={around} className="relative">
      <button
        ref={button}
        type="button"
        aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        {...panel.opener}
        onClick={() => {
          void panel.load()
          setOpenOn(open ? null : key)
        }}
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
          aria-label="Notifications"
          className="fixed inset-x-4 z-40 mt-2 max-h-[min(34rem,75dvh)] overflow-y-auto rounded-card border border-line bg-raised shadow-lift sm:absolute sm:inset-x-auto sm:end-0 sm:w-96"
        >
          <Panel onClose={() => setOpenOn(null)} />
        </section>
      )}
    </div>
  )
}

function Panel({ onClose }: { onClose: () => void }) {
  const state = usePart(panel)
  if (state.status === 'ready') return <state.part onClose={onClose} />
  if (state.status === 'pending') return <Loading />
  return (
    <div>
      <ErrorState message={explain(state.error)} onRetry={() => void panel.retry()} />
      <Button variant="plain" onClick={onClose}>
        Close
      </Button>
    </div>
  )
}
