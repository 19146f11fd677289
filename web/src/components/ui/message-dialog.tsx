import { useId, type ReactNode } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'
import { LinkButton } from './link-button'
import { MessagePicture } from './message-picture'

/** The next step after a message: a link to a page or the caller's action. */
export interface NextStep {
  label: string
  to?: string
  /** Most users take it: it has the focus. */
  usual?: boolean
  /** Navigation state for `to`. */
  state?: unknown
}

export interface Message {
  title: string
  text?: string | undefined
  /** Technical details, if they help. */
  detail?: ReactNode
  role: 'dialog' | 'alertdialog'
  confirm?: string
  /** Without it there is nothing to decide. */
  cancel?: string | undefined
  /** The confirmed action cannot be undone. */
  danger?: boolean
  circled?: string | undefined
  next?: NextStep | undefined
}

export type Answer = 'confirm' | 'cancel' | 'next'

interface MessageDialogProps extends Message {
  /** Shapes the pen's stroke: no two look alike. */
  seed?: string
  onAnswer: (answer: Answer) => void
}

/**
 * A message or a question in a modal dialog. Esc and Back are the same as the cancel button. A question focuses its
 * title, so that a second press of the key that opened it is no answer.
 */
export function MessageDialog({
  title,
  text,
  detail,
  role,
  confirm = 'OK',
  cancel,
  danger = false,
  circled,
  next,
  seed = title,
  onAnswer,
}: MessageDialogProps) {
  const textId = useId()
  const kind = role === 'dialog' ? 'done' : cancel ? 'question' : 'failed'
  const goOn = () => onAnswer('next')
  return (
    <Dialog
      title={title}
      role={role}
      size="message"
      describedBy={text ? textId : undefined}
      onClose={() => onAnswer('cancel')}
      picture={<MessagePicture kind={kind} seed={seed} circled={circled} />}
    >
      <div id={textId} className="wrap-anywhere">
        {text && <p>{text}</p>}
        {detail && <div className="mt-2 text-sm text-soft">{detail}</div>}
      </div>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        {cancel && (
          <Button variant="quiet" onClick={() => onAnswer('cancel')}>
            {cancel}
          </Button>
        )}
        <Button
          variant={danger ? 'danger' : next?.usual ? 'quiet' : 'primary'}
          data-autofocus={!(cancel || next?.usual) || undefined}
          className="min-w-24"
          onClick={() => onAnswer('confirm')}
        >
          {confirm}
        </Button>
        {next &&
          (next.to ? (
            <LinkButton to={next.to} state={next.state} variant="quiet" onClick={goOn}>
              {next.label}
            </LinkButton>
          ) : (
            <Button variant={next.usual ? 'primary' : 'quiet'} data-autofocus={next.usual} onClick={goOn}>
              {next.label}
            </Button>
          ))}
      </div>
    </Dialog>
  )
}
