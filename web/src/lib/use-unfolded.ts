import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

/** Whether something is unfolded, and a function that unfolds or folds it. Going anywhere folds it, and so does Escape. */
export function useUnfolded(): [boolean, (unfold: boolean) => void] {
  const { key } = useLocation()
  const [openOn, setOpenOn] = useState<string | null>(null)
  const open = openOn === key
  useEffect(() => {
    if (!open) return
    const foldOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpenOn(null)
    }
    document.addEventListener('keydown', foldOnEscape)
    return () => document.removeEventListener('keydown', foldOnEscape)
  }, [open])
  return [open, (unfold) => setOpenOn(unfold ? key : null)]
}
