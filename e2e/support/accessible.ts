import { readFileSync } from 'node:fs'
import type * as Axe from 'axe-core'
import { expect, type Page } from '@playwright/test'

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const widths = [320, 768, 1280] as const
const themes = ['light', 'dark'] as const
export type Width = (typeof widths)[number]

/** Opens pages as a phone in the light shows them; every check turns the page from there, and back to it. */
export const phone = {
  viewport: { width: widths[0], height: 800 },
  colorScheme: themes[0],
  reducedMotion: 'reduce',
} as object

/** axe on what the page shows, in each width and theme, and nothing to scroll sideways in any. */
export async function check(page: Page, state: string, at: readonly Width[] = widths): Promise<void> {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    for (const width of at) {
      await page.setViewportSize({ width, height: 800 })
      await checkOnce(page, `${state}, ${width} px, ${theme}`)
    }
  }
  await page.emulateMedia({ colorScheme: themes[0] })
  await page.setViewportSize({ width: widths[0], height: 800 })
}

/** axe on what the page shows as it is. */
export async function checkOnce(page: Page, state: string): Promise<void> {
  // Once a document: it is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const { violations, sideways } = await page.evaluate(async (runOnly) => {
    // What follows the window's size has heard of the new one.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    // Fades are over before contrast is measured. One that another takes the place of is rejected, not finished.
    const running = () => document.getAnimations().filter((fade) => fade.playState === 'running')
    for (let fades = running(); fades.length; fades = running())
      await Promise.allSettled(fades.map((fade) => fade.finished))
    const { axe } = window as unknown as { axe: typeof Axe }
    const found = await axe.run(document, { runOnly, resultTypes: ['violations'] })
    const { scrollWidth, clientWidth } = document.documentElement
    return {
      violations: found.violations.map(({ id, nodes }) => ({
        id,
        at: nodes.map(({ target }) => target.join(' ')),
      })),
      sideways: scrollWidth - clientWidth,
    }
  }, rules)
  expect(violations, state).toEqual([])
  expect(sideways, `${state} scrolls sideways`).toBe(0)
}
