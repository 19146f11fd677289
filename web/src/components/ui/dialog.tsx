import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { cx } from '@/lib/cx'

interface DialogProps {
  title: string
  /** Esc was pressed. */
  onClose: () => void
  role?: 'dialog' | 'alertdialog'
  /** Id of the text that a screen reader should read after the title. */
  describedBy?: string | undefined
  className?: string
  children: ReactNode
}

/**
 * A native modal dialog, open for as long as it is rendered. Focus goes to the element marked
 * `data-autofocus`, or to the title; on closing it returns to where it came from.
 */
export function Dialog({ title, onClose, role = 'dialog', describedBy, className, children }: DialogProps) {
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    element.showModal()
    const first = element.querySelector<HTMLElement>('[data-autofocus]') ?? element.querySelector('h2')
    first?.focus()
    return () => element.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className={cx(
        'm-auto w-[min(34rem,100%-2rem)] rounded-card border border-line bg-raised p-6 text-ink shadow-lift sm:p-8',
        className,
      )}
    >
      <h2 id={titleId} tabIndex={-1} className="mb-4">
        {title}
      </h2>
      {children}
    </dialog>
  )
}

/** The row of buttons that ends a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-3">{children}</div>
}
