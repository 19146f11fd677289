import { useEffectEvent, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { cx } from '@/lib/cx'
import { dialogOpened } from './dialog-history'

/** A few words in the middle; a form, at the thumb on a phone; or a desk to work at, which on a phone is the whole screen. */
export type DialogSize = 'message' | 'form' | 'desk'

const sizes: Record<DialogSize, string> = {
  message: 'w-[min(28rem,100%-2rem)] rounded-card p-6 text-center sm:p-8',
  form: 'w-[min(34rem,100%-2rem)] rounded-card p-6 max-sm:mb-0 max-sm:w-full max-sm:max-w-none max-sm:rounded-b-none max-sm:border-x-0 max-sm:border-b-0 sm:p-8',
  desk: 'w-[min(90rem,100%-2rem)] rounded-card px-5 pt-6 pb-5 max-sm:m-0 max-sm:h-dvh max-sm:max-h-none max-sm:w-full max-sm:max-w-none max-sm:rounded-none max-sm:border-0 sm:p-8',
}

interface DialogProps {
  title: string
  /** Esc was pressed, or Back. */
  onClose: () => void
  role?: 'dialog' | 'alertdialog'
  size?: DialogSize
  /** Id of the text that a screen reader should read after the title. */
  describedBy?: string | undefined
  className?: string
  /** Above the title. */
  picture?: ReactNode
  children: ReactNode
}

/**
 * A native modal dialog, open for as long as it is rendered. Focus goes to the element marked
 * `data-autofocus`, or to the title; on closing it returns to where it came from. Going back closes it, too.
 */
export function Dialog({
  title,
  onClose,
  role = 'dialog',
  size = 'form',
  describedBy,
  className,
  picture,
  children,
}: DialogProps) {
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    element.showModal()
    const first = element.querySelector<HTMLElement>('[data-autofocus]') ?? element.querySelector('h2')
    first?.focus()
    const closed = dialogOpened(() => close())
    return () => {
      closed()
      element.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return // of a file chooser in the dialog
        event.preventDefault()
        onClose()
      }}
      className={cx('m-auto border border-line bg-raised text-ink shadow-lift', sizes[size], className)}
    >
      {picture}
      <h2 id={titleId} tabIndex={-1} className="mb-4">
        {title}
      </h2>
      {children}
    </dialog>
  )
}

/** The row of buttons that ends a dialog. */
export function DialogActions({
  sticky = false,
  children,
}: {
  /** They stay in sight at the end of the dialog, whatever is scrolled. */
  sticky?: boolean
  children: ReactNode
}) {
  return (
    <div
      className={cx(
        'mt-6 flex flex-wrap justify-end gap-3',
        sticky &&
          'sticky -bottom-5 -mb-5 border-t border-line bg-raised py-4 max-sm:-mx-5 max-sm:px-4 max-sm:*:grow sm:-bottom-8 sm:-mb-8',
      )}
    >
      {children}
    </div>
  )
}
