import { useQuery } from '@tanstack/react-query'
import { useState, type RefObject } from 'react'
import { previousOfSubject } from '@/lib/query'
import { useSuggestions, type Suggestions } from '@/lib/use-suggestions'
import { participantsQuery } from '@/entities/comment/queries'

interface Participant {
  authorId: string
  displayName: string
}

interface MentionsOptions {
  assignmentId: string
  text: string
  box: RefObject<HTMLTextAreaElement | null>
  onText: (text: string) => void
}

/** The people to mention; none where no mention is being typed. */
export interface Mentions extends Suggestions<Participant> {
  close: () => void
  onMove: () => void
}

/** The mention that is being typed right before the caret: an @ at the start of a word, and up to two words of a name. */
const typed = /(?:^|[\s(])@([\p{L}\p{N}_'.-]{0,30}(?: [\p{L}\p{N}_'.-]{0,30})?)$/u

/** Suggests users while a mention is typed, and inserts the chosen one. */
export function useMentions({ assignmentId, text, box, onText }: MentionsOptions): Mentions {
  const [sought, setSought] = useState<string | null>(null)
  const query = participantsQuery(assignmentId, sought ?? '')
  const { data } = useQuery({
    ...query,
    enabled: sought !== null,
    placeholderData: previousOfSubject(query.queryKey),
  })
  const people = sought === null ? [] : (data ?? [])
  const close = () => setSought(null)
  const suggestions = useSuggestions({ items: people, choose, close, eager: true })

  function onMove() {
    const caret = box.current?.selectionStart ?? 0
    const found = typed.exec(text.slice(0, caret))?.[1]
    if (found === undefined) close()
    else if (found !== sought) {
      setSought(found)
      suggestions.restart()
    }
  }

  function choose({ authorId, displayName }: Participant) {
    const caret = box.current?.selectionStart ?? text.length
    const start = caret - (sought?.length ?? 0) - 1
    // Brackets would end the name. Readers see the user's present name.
    const mention = `@[${displayName.replaceAll(/[[\]\n]/g, ' ').trim() || '?'}](user:${authorId}) `
    onText(text.slice(0, start) + mention + text.slice(caret))
    close()
    requestAnimationFrame(() => {
      box.current?.focus()
      box.current?.setSelectionRange(start + mention.length, start + mention.length)
    })
  }

  return { ...suggestions, close, onMove }
}
