import { useCallback, useEffect, useState } from 'react'
import { dropDraft, followDraft, leaveDraft, readDraft, writeDraft } from './drafts'

/** `useDraft` for one text without a form. Writing the original text again drops the draft. */
export function useTextDraft(
  name: string,
  original: string,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => readDraft<{ text: string }>(name, original)?.text ?? original)
  useEffect(() => {
    const stopFollowing = followDraft(name, original, (values, before) => {
      const next = values as { text: string } | null
      const was = before as { text: string } | null
      setText((now) => next?.text ?? (now === was?.text ? original : now))
    })
    return () => {
      stopFollowing()
      leaveDraft(name)
    }
  }, [name, original])
  const type = useCallback(
    (next: string) => {
      setText(next)
      if (next === original) dropDraft(name)
      else writeDraft(name, { text: next }, original)
    },
    [name, original],
  )
  return [text, type]
}
