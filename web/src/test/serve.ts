import { getResponse, type HttpHandler } from 'msw'
import { onTestFinished, vi } from 'vitest'

/**
 * Answers the app's calls from handlers until the test ends. A call without a handler fails as unreachable. Handlers
 * read what a form sends, without the id of the request.
 */
export function serve(...handlers: HttpHandler[]): void {
  answer(handlers, withoutId)
}

/** Like serve, but handlers read the id of the request too. */
export function serveAsSent(...handlers: HttpHandler[]): void {
  answer(handlers, (request) => request)
}

function answer(handlers: HttpHandler[], as: (request: Request) => Request | Promise<Request>): void {
  const fetch = vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const response = await getResponse(handlers, await as(new Request(input, init)))
    if (!response || response.type === 'error') throw new TypeError('Failed to fetch')
    return response
  })
  onTestFinished(() => fetch.mockRestore())
}

async function withoutId(request: Request): Promise<Request> {
  if (request.headers.get('Content-Type') !== 'application/json') return request
  const { id, ...body } = (await request.clone().json()) as { id?: unknown }
  if (typeof id !== 'string' || !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return request
  return new Request(request, { method: request.method, body: JSON.stringify(body) })
}

/** Holds an answer back until the test opens it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}
