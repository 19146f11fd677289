import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** axe on what the page shows, and nothing to scroll sideways. */
export async function check(page: Page, state: string): Promise<void> {
  // Fades are over before contrast is measured. One that another takes the place of is rejected, not finished.
  await page.evaluate(async () => {
    const running = () => document.getAnimations().filter((fade) => fade.playState === 'running')
    for (let fades = running(); fades.length; fades = running())
      await Promise.allSettled(fades.map((fade) => fade.finished))
  })
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .analyze()
  const found = violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ target }) => target.join(' ')) }))
  expect(found, state).toEqual([])
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(sideways, `${state} scrolls sideways`).toBe(0)
}
