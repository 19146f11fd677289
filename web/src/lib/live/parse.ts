import type { LiveEvent } from '../live-events'

/** One message of the stream: an event, or, without a kind, only the cursor. */
export interface Message {
  cursor: string
  event: LiveEvent | null
}

/**
 * Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) out of pieces of
 * text, wherever those are cut. Returns the messages that a piece completes.
 */
export function messageParser(): (piece: string) => Message[] {
  let rest = ''
  let id = ''
  let kind = ''
  let data = ''
  return (piece) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    const messages: Message[] = []
    for (const line of lines) {
      if (line === '') {
        if (id) messages.push({ cursor: id, event: kind ? { kind, id: subjectOf(data) } : null })
        id = kind = data = ''
      } else if (line.startsWith('id: ')) id = line.slice(4)
      else if (line.startsWith('event: ')) kind = line.slice(7)
      else if (line.startsWith('data: ')) data = line.slice(6)
    }
    return messages
  }
}

function subjectOf(data: string): string {
  const { _id } = JSON.parse(data) as { _id?: string }
  return _id ?? ''
}
