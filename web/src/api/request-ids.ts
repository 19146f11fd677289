import type { MiddlewareCallbackParams } from 'openapi-fetch'
import { readDraft, unansweredRequests, writeDraft } from '@/lib/drafts'
import { hash } from '@/lib/hash'
import { takesId } from './takes-id'

/**
 * What creates or sends something has an id, by which the server recognizes it when it comes again. The same content
 * keeps its id until the server has answered, also after a reload: a press that got no answer can be repeated, and
 * nothing happens twice. Once it is answered, or with another content, the id is new.
 */

/** The server recognizes an id for a day. */
const lifeMs = 24 * 60 * 60_000
/** More wait for an answer in no browser. */
const maxUnanswered = 50

/** The ids of requests without an answer, with their times, by the hash of their content. */
type Unanswered = Record<string, [id: string, at: number]>

function unanswered(): Unanswered {
  const all = Object.entries(readDraft<Unanswered>(unansweredRequests) ?? {})
  const recent = all.filter(([, kept]) => kept && Date.now() - kept[1] < lifeMs)
  return Object.fromEntries(recent.slice(-maxUnanswered)) as Unanswered
}

const keep = (all: Unanswered) => writeDraft(unansweredRequests, all)

function idOf(content: string): string {
  const all = unanswered()
  const id = all[content]?.[0] ?? newId()
  keep({ ...all, [content]: [id, Date.now()] })
  return id
}

/** A UUID of version 4. `crypto.randomUUID` is missing in pages that came without TLS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const contents = new WeakMap<Request, string>()

export const requestIds = {
  async onRequest({ request, schemaPath }: MiddlewareCallbackParams) {
    if (!takesId(request.method, schemaPath)) return undefined
    const text = await request.clone().text()
    const content = hash([request.method, request.url, text].join('\n'))
    const id = idOf(content)
    const withId = isFile(request) ? await inQuery(request, id) : inBody(request, text, id)
    contents.set(withId, content)
    return withId
  },
  async onResponse({ request, response }: MiddlewareCallbackParams & { response: Response }) {
    const content = contents.get(request)
    if (content === undefined || (await isUndecided(response))) return
    const { [content]: _, ...others } = unanswered()
    keep(others)
  },
}

const isFile = ({ headers }: Request) => headers.get('Content-Type')?.startsWith('text/') ?? false

/** The bytes are read first: Chromium sends a body that is a stream, as that of another request is, by HTTP/2 alone. */
async function inQuery(request: Request, id: string): Promise<Request> {
  const url = new URL(request.url)
  url.searchParams.set('id', id)
  const { method, headers, signal } = request
  return new Request(url, { method, headers, signal, body: await request.clone().arrayBuffer() })
}

function inBody(request: Request, text: string, id: string): Request {
  const headers = new Headers(request.headers)
  headers.set('Content-Type', 'application/json')
  const body = { ...(text ? (JSON.parse(text) as object) : {}), id }
  return new Request(request, { method: request.method, headers, body: JSON.stringify(body) })
}

/** Whether the request may have been carried out without its answer. */
async function isUndecided(response: Response): Promise<boolean> {
  if (response.status >= 500) return true
  if (response.status !== 409) return false
  const { code } = (await response.clone().json()) as { code?: string }
  return code === 'already-sent'
}
