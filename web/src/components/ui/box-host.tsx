import { useId, useSyncExternalStore } from 'react'
import { currentBox, subscribeBoxes, type Box } from './boxes'
import { Button } from './button'
import { Dialog } from './dialog'

/** Renders the boxes that are asked for anywhere in the app, one after the other. */
export function BoxHost() {
  const box = useSyncExternalStore(subscribeBoxes, currentBox, () => null)
  return box && <BoxDialog key={box.id} box={box} />
}

function BoxDialog({ box }: { box: Box }) {
  const textId = useId()
  return (
    <Dialog
      title={box.title}
      role={box.role}
      describedBy={box.text ? textId : undefined}
      onClose={() => box.answer(false)}
      className="max-w-md text-center"
    >
      <div id={textId}>
        {box.text && <p>{box.text}</p>}
        {box.detail && <p className="mt-2 text-sm text-soft">{box.detail}</p>}
      </div>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        {box.cancel && (
          <Button variant="quiet" data-autofocus={box.danger || undefined} onClick={() => box.answer(false)}>
            {box.cancel}
          </Button>
        )}
        <Button
          variant={box.danger ? 'danger' : 'primary'}
          data-autofocus={!box.danger || undefined}
          onClick={() => box.answer(true)}
        >
          {box.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
