import { useQuery } from '@tanstack/react-query'
import { useState, type RefObject } from 'react'
import { useSuggestions, type Suggestions } from '@/lib/use-suggestions'
import { phrasesQuery } from '@/entities/submission/phrases-query'

/** The sentence that is being typed right before the caret, from its second character on. */
const typed = /(?:^|[\n.!?])[ \t]*([^\n.!?]{2,})$/u

const most = 6

/** The phrases that go on as a sentence begins. */
function phrasesFor(begun: string, phrases: readonly string[]): string[] {
  const start = begun.toLowerCase()
  return phrases
    .filter((phrase) => phrase.length > begun.length && phrase.toLowerCase().startsWith(start))
    .slice(0, most)
}

interface Phrases extends Suggestions<string> {
  close: () => void
  onMove: () => void
}

/** Suggests the user's phrases while one of them is typed, and inserts the chosen one. */
export function usePhrases(
  box: RefObject<HTMLTextAreaElement | null>,
  onText: (text: string) => void,
): Phrases {
  const [begun, setBegun] = useState('')
  const { data: phrases = [] } = useQuery({ ...phrasesQuery, enabled: begun !== '' })
  const close = () => setBegun('')
  const suggestions = useSuggestions({ items: begun ? phrasesFor(begun, phrases) : [], choose, close })

  function onMove() {
    const { value = '', selectionStart = 0 } = box.current ?? {}
    const found = typed.exec(value.slice(0, selectionStart))?.[1] ?? ''
    if (found === begun) return
    setBegun(found)
    suggestions.restart()
  }

  function choose(phrase: string) {
    const { value = '', selectionStart: caret = 0 } = box.current ?? {}
    const start = caret - begun.length
    onText(value.slice(0, start) + phrase + value.slice(caret))
    close()
    requestAnimationFrame(() => {
      box.current?.focus()
      box.current?.setSelectionRange(start + phrase.length, start + phrase.length)
    })
  }

  return { ...suggestions, close, onMove }
}
