import type { Page } from '@playwright/test'

/** From the next page on the app's script does not come; what it gives back lets it come. */
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
 * From the next page on React is there and does not get to hydrating it: its scheduler goes on by messages to itself,
 * which are held. What it gives back waits for the app to have begun; what that gives back lets the messages go.
 */
export async function holdHydration(page: Page): Promise<() => Promise<() => Promise<void>>> {
  await page.addInitScript(() => {
    const post = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'postMessage') ?? {}
    const held: (() => void)[] = []
    MessagePort.prototype.postMessage = function (message: unknown) {
      held.push(() => void Reflect.apply(post.value as () => void, this, [message]))
    }
    window.addEventListener('release', () => {
      Object.defineProperty(MessagePort.prototype, 'postMessage', post)
      for (const goOn of held) goOn()
    })
  })
  return async () => {
    await page.waitForFunction(() => 'earlyClick' in window && window.earlyClick === null)
    return () => page.evaluate(() => void window.dispatchEvent(new Event('release')))
  }
}
