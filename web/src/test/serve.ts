import { getResponse, type HttpHandler } from 'msw'
import { onTestFinished, vi } from 'vitest'

/** Answers the app's calls from handlers until the test ends. A call without a handler fails as unreachable. */
export function serve(...handlers: HttpHandler[]): void {
  const fetch = vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const response = await getResponse(handlers, new Request(input, init))
    if (!response || response.type === 'error') throw new TypeError('Failed to fetch')
    return response
  })
  onTestFinished(() => fetch.mockRestore())
}

/** Holds an answer back until the test opens it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}
