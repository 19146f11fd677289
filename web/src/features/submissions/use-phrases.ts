import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useBegun, useCompletion } from '@/components/ui'
import { phrasesQuery } from '@/entities/submission/phrases-query'

/** A sentence, from its second character on. */
const typed = /(?:^|[\n.!?])[ \t]*([^\n.!?]{2,})$/u

const most = 6
const itself = (phrase: string) => phrase

/** The phrases that go on as a sentence begins. */
function phrasesFor(begun: string, phrases: readonly string[]): string[] {
  const start = begun.toLowerCase()
  return phrases
    .filter((phrase) => phrase.length > begun.length && phrase.toLowerCase().startsWith(start))
    .slice(0, most)
}

/** Suggests the user's phrases while one of them is typed, and inserts the chosen one. */
export function usePhrases(box: RefObject<HTMLTextAreaElement | null>, onText: (text: string) => void) {
  const caret = useBegun(box, typed)
  const { data = [] } = useQuery({ ...phrasesQuery, enabled: caret.begun !== '' })
  const items = phrasesFor(caret.begun, data)
  return useCompletion(caret, { label: t`Your phrases`, items, textOf: itself, insertionOf: itself, onText })
}
