import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { useLocation } from 'react-router'

interface Unfolded<Around> {
  open: boolean
  unfold: (unfold: boolean) => void
  /** For the element around the button and what lies over the page below it. */
  around: RefObject<Around | null>
}

const leaving = ['keydown', 'pointerdown', 'focusin']

/**
 * Whether something is unfolded. Going anywhere folds it, and so does Escape. With `around`, Escape returns the focus to
 * the button, and a press or focus elsewhere folds it, too.
 */
export function useUnfolded<Around extends HTMLElement>(): Unfolded<Around> {
  const { key } = useLocation()
  const around = useRef<Around>(null)
  const [openOn, setOpenOn] = useState<string | null>(null)
  const open = openOn === key
  const leave = useEffectEvent((event: Event) => {
    if (event instanceof KeyboardEvent) {
      if (event.key !== 'Escape') return
      around.current?.querySelector('button')?.focus()
    } else if (!around.current || around.current.contains(event.target as Node)) return
    setOpenOn(null)
  })
  useEffect(() => {
    if (!open) return
    const fold = (event: Event) => leave(event)
    for (const kind of leaving) document.addEventListener(kind, fold)
    return () => {
      for (const kind of leaving) document.removeEventListener(kind, fold)
    }
  }, [open])
  return { open, unfold: (unfold) => setOpenOn(unfold ? key : null), around }
}
