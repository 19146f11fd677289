import { useEffect, type ComponentType } from 'react'
import { lazyPart, usePart, type LazyPart } from '@/lib/lazy-part'
import { explain } from '@/lib/problem'
import { Button } from './button'
import { Dialog, DialogActions, type DialogSize } from './dialog'
import { Loading } from './spinner'
import { ErrorState } from './states'

interface Closable {
  onClose: () => void
}

/**
 * A dialog whose code is fetched when the user points at its `opener`, or at the latest when it opens. Meanwhile a
 * frame of the same size shows that it is loading and can be closed.
 */
export function lazyDialog<Props extends Closable>(
  fetchDialog: () => Promise<{ default: ComponentType<Props> }>,
  { title, size }: { title: () => string; size?: DialogSize },
): { Dialog: ComponentType<Props>; opener: LazyPart<unknown>['opener'] } {
  const code = lazyPart(fetchDialog)
  function LazyDialog(props: Props) {
    const state = usePart(code)
    useEffect(() => void code.load(), [])
    if (state.status === 'ready') return <state.part.default {...props} />
    return (
      <Dialog title={title()} size={size} onClose={props.onClose}>
        {state.status === 'pending' ? (
          <Loading />
        ) : (
          <ErrorState message={explain(state.error)} onRetry={() => void code.retry()} />
        )}
        <DialogActions>
          <Button variant="quiet" onClick={props.onClose}>
            Cancel
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return { Dialog: LazyDialog, opener: code.opener }
}
