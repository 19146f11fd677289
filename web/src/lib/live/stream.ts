import { api } from '@/api/client'
import { problemFrom } from '../problem'
import { messageParser, type Message } from './parse'

/** The server writes every 18 seconds; a connection that is silent for this long is dead. */
const silenceMs = 45_000

/**
 * Reads the stream of events from a cursor, '' for the present, until it ends or `signal` aborts. Throws a Problem if
 * the server refuses.
 */
export async function readStream(
  cursor: string,
  signal: AbortSignal,
  onMessage: (message: Message) => void,
): Promise<void> {
  const silence = new AbortController()
  let timer = 0
  const alive = () => {
    window.clearTimeout(timer)
    timer = window.setTimeout(() => silence.abort(), silenceMs)
  }
  alive()
  try {
    const { data, error, response } = await api.GET('/api/events', {
      parseAs: 'stream',
      ...(cursor && { params: { header: { 'Last-Event-ID': cursor } } }),
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (!response.ok) throw problemFrom(response, error)
    if (!data) return
    const parse = messageParser()
    const reader = (data as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      alive()
      for (const message of parse(decoder.decode(value, { stream: true }))) onMessage(message)
    }
  } finally {
    window.clearTimeout(timer)
  }
}
