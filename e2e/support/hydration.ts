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
