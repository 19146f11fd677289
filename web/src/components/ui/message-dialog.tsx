import { useId } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'

export interface Message {
  title: string
  text?: string | undefined
  /** What is behind it, where that helps. */
  detail?: string | undefined
  role: 'dialog' | 'alertdialog'
  confirm?: string
  /** Without it there is nothing to decide. */
  cancel?: string | undefined
  /** The confirmed action cannot be undone: focus starts on the way out. */
  danger?: boolean
}

/** A message or a question in a modal dialog. Esc is the same as the cancel button. */
export function MessageDialog({
  title,
  text,
  detail,
  role,
  confirm = 'OK',
  cancel,
  danger = false,
  onAnswer,
}: Message & { onAnswer: (confirmed: boolean) => void }) {
  const textId = useId()
  return (
    <Dialog
      title={title}
      role={role}
      describedBy={text ? textId : undefined}
      onClose={() => onAnswer(false)}
      className="max-w-md text-center"
    >
      <div id={textId}>
        {text && <p>{text}</p>}
        {detail && <p className="mt-2 text-sm text-soft">{detail}</p>}
      </div>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        {cancel && (
          <Button variant="quiet" data-autofocus={danger || undefined} onClick={() => onAnswer(false)}>
            {cancel}
          </Button>
        )}
        <Button
          variant={danger ? 'danger' : 'primary'}
          data-autofocus={!danger || undefined}
          onClick={() => onAnswer(true)}
        >
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}
