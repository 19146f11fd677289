import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { loadCode, reloadForRelease, reloadIfReachable } from './load-code'
import { isProblem } from './problem'

/** The code of a part could not be fetched. */
interface Failure {
  error: unknown
  retry: () => Promise<void>
}

type LazyPart<Props> = ComponentType<Props> & {
  /** Props for the control that opens the part: pointing at it or focusing it starts the fetch. */
  opener: Record<'onPointerEnter' | 'onPointerDown' | 'onFocus', () => void>
}

/**
 * A part of a page whose code is fetched when it is first wanted, and `otherwise` until then. A failed part is fetched
 * again when it is shown again, on Retry and when the network is back. `React.lazy` remembers a failure, and React
 * shows its fallback for 300 ms at least.
 */
export function lazyPart<Props extends object>(
  fetchPart: () => Promise<{ default: ComponentType<Props> }>,
  otherwise: (failure: Failure | null, props: Props) => ReactNode,
): LazyPart<Props> {
  let code: ComponentType<Props> | undefined
  const load = async () => (code ??= (await loadCode(fetchPart)).default)

  function Part(props: Props) {
    const [{ View, error }, setState] = useState<{ View?: typeof code; error?: unknown }>({ View: code })
    useEffect(() => {
      if (View) return
      const fetchNow = () =>
        void load().then(
          (loaded) => setState({ View: loaded }),
          (failure: unknown) => {
            if (!reloadForRelease(failure)) setState({ error: failure })
          },
        )
      fetchNow()
      window.addEventListener('online', fetchNow)
      return () => window.removeEventListener('online', fetchNow)
    }, [View])

    /** Code that the server has, but the browser does not get again, takes a new document. */
    async function retry() {
      try {
        const loaded = await load()
        setState({ View: loaded })
      } catch (again) {
        setState({ error: again })
        if (!isProblem(again, 'code-unreachable')) await reloadIfReachable()
      }
    }
    return View ? <View {...props} /> : otherwise(error ? { error, retry } : null, props)
  }

  const prefetch = () => void load().catch(() => undefined)
  return Object.assign(Part, {
    opener: { onPointerEnter: prefetch, onPointerDown: prefetch, onFocus: prefetch },
  })
}
