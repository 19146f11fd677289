import { useEffect, useEffectEvent, type RefObject } from 'react'

interface MarkKeys {
  /** A digit was pressed outside of a text box. */
  onDigit: (digit: number) => void
  onSubmit: () => void
}

const textBox = 'textarea, select, input:not([type=radio]), [contenteditable]'

/**
 * Listens, while the form's dialog is the topmost one, for digits outside of text boxes, and for Ctrl or ⌘ with Enter
 * anywhere.
 */
export function useMarkKeys(form: RefObject<HTMLFormElement | null>, { onDigit, onSubmit }: MarkKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const top = [...document.querySelectorAll('dialog[open]')].at(-1)
    if (!form.current || form.current.closest('dialog') !== top || event.altKey) return
    const modified = event.ctrlKey || event.metaKey
    if (modified && event.key === 'Enter' && !event.repeat) {
      event.preventDefault()
      onSubmit()
    }
    const writing = event.target instanceof Element && event.target.closest(textBox)
    if (!modified && !writing && /^\d$/.test(event.key)) onDigit(Number(event.key))
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
