import { useQuery } from '@tanstack/react-query'
import { useId, useState, type KeyboardEvent, type RefObject } from 'react'
import { previousOfSubject } from '@/lib/query'
import { participantsQuery } from './queries'

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

export interface Mentions {
  /** The people to mention; empty where no mention is being typed. */
  people: readonly Participant[]
  active: number
  listId: string
  choose: (person: Participant) => void
  close: () => void
  onMove: () => void
  onKeyDown: (event: KeyboardEvent) => void
  /** For the text box. */
  wiring: { 'aria-autocomplete': 'list'; 'aria-controls'?: string; 'aria-activedescendant'?: string }
}

/** The mention that is being typed right before the caret: an @ at the start of a word, and up to two words of a name. */
const typed = /(?:^|[\s(])@([\p{L}\p{N}_'.-]{0,30}(?: [\p{L}\p{N}_'.-]{0,30})?)$/u

/** Suggests users while a mention is typed, and inserts the chosen one. */
export function useMentions({ assignmentId, text, box, onText }: MentionsOptions): Mentions {
  const listId = useId()
  const [sought, setSought] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const query = participantsQuery(assignmentId, sought ?? '')
  const { data } = useQuery({
    ...query,
    enabled: sought !== null,
    placeholderData: previousOfSubject(query.queryKey),
  })
  const people = sought === null ? [] : (data ?? [])
  const at = Math.min(active, people.length - 1)
  const close = () => setSought(null)

  function onMove() {
    const caret = box.current?.selectionStart ?? 0
    const found = typed.exec(text.slice(0, caret))?.[1]
    if (found === undefined) close()
    else if (found !== sought) {
      setSought(found)
      setActive(0)
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

  function onKeyDown(event: KeyboardEvent) {
    const person = people[at]
    if (!person) return
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step) setActive((at + step + people.length) % people.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(person)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const offered = people.length > 0
  return {
    people,
    active: at,
    listId,
    choose,
    close,
    onMove,
    onKeyDown,
    wiring: {
      'aria-autocomplete': 'list',
      ...(offered && { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${at}` }),
    },
  }
}
