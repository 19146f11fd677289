import { t } from '@lingui/core/macro'
import type { ComponentType } from 'react'
import { lazyPart } from '@/lib/lazy-part'
import { explain } from '@/lib/problem'
import { withTexts } from '@/lib/texts'
import { Button } from './button'
import { Dialog, DialogActions, type DialogSize } from './dialog'
import { Loading } from './spinner'
import { ErrorState } from './states'

type Fetch<Props> = () => Promise<{ default: ComponentType<Props> }>

/**
 * A part of a page whose code is fetched when it shows. `label` names it while it is loading; `fillsScreen` keeps what
 * follows it below the screen until then.
 */
export const lazyView = <Props extends object>(
  fetchView: Fetch<Props>,
  { label, fillsScreen = false }: { label: () => string; fillsScreen?: boolean },
) =>
  lazyPart(withTexts(fetchView), (failure) =>
    failure ? (
      <ErrorState message={explain(failure.error)} onRetry={failure.retry} />
    ) : (
      <Loading label={label()} fillsScreen={fillsScreen} />
    ),
  )

/** The same for a dialog: meanwhile it is a frame of the same size, which can be closed. */
export function lazyDialog<Props extends { onClose: () => void }>(
  fetchDialog: Fetch<Props>,
  { title, size }: { title: () => string; size?: DialogSize },
) {
  const part = lazyPart(withTexts(fetchDialog), (failure, { onClose }) => (
    <Dialog title={title()} size={size} onClose={onClose}>
      {failure ? <ErrorState message={explain(failure.error)} onRetry={failure.retry} /> : <Loading />}
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          {t`Cancel`}
        </Button>
      </DialogActions>
    </Dialog>
  ))
  return { Dialog: part, opener: part.opener }
}
