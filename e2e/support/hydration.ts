import type { Page } from '@playwright/test'

/** Holds the app's scripts from the next page on; the returned function releases them. */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/*.js', async (route) => {
    await released
    await route.fallback()
  })
  return release
}

/**
 * Holds what React draws from the next page on, by holding the messages that its scheduler sends to itself. The
 * returned function waits until React begins, and returns the function that releases the messages.
 */
export async function holdDrawing(page: Page): Promise<() => Promise<() => Promise<void>>> {
  await page.addInitScript(() => {
    const post = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'postMessage') ?? {}
    const held: (() => void)[] = []
    MessagePort.prototype.postMessage = function (message: unknown) {
      held.push(() => void Reflect.apply(post.value as () => void, this, [message]))
      document.documentElement.dataset.holdsDrawing = ''
    }
    window.addEventListener('release', () => {
      Object.defineProperty(MessagePort.prototype, 'postMessage', post)
      for (const goOn of held) goOn()
    })
  })
  return async () => {
    await page.waitForFunction(() => 'holdsDrawing' in document.documentElement.dataset)
    return () => page.evaluate(() => void window.dispatchEvent(new Event('release')))
  }
}
