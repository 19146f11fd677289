import { useEffect, type ComponentType } from 'react'
import { lazyPart, usePart } from '@/lib/lazy-part'
import { explain } from '@/lib/problem'
import { Loading } from './spinner'
import { ErrorState } from './states'

/**
 * A part of a page that is not always shown, whose code is fetched when it is. `label` names it while it is loading;
 * `fillsScreen` keeps what follows it below the screen until then.
 */
export function lazyView<Props extends object>(
  fetchView: () => Promise<{ default: ComponentType<Props> }>,
  { label, fillsScreen = false }: { label: () => string; fillsScreen?: boolean },
): ComponentType<Props> {
  const code = lazyPart(fetchView)
  return function LazyView(props: Props) {
    const state = usePart(code)
    useEffect(() => void code.load(), [])
    if (state.status === 'ready') return <state.part.default {...props} />
    if (state.status === 'pending') return <Loading label={label()} fillsScreen={fillsScreen} />
    return <ErrorState message={explain(state.error)} onRetry={() => void code.retry()} />
  }
}
