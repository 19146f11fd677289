import type { BrowserContext } from '@playwright/test'
import { translate, type Translator } from '../../web/src/test/translate'

/** Translates the context's pages, as browsers do once a page is there. */
export async function translatePages(context: BrowserContext, how: Translator): Promise<void> {
  const content = `
    const begin = setInterval(() => {
      const root = document.getElementById('root')
      if (document.readyState !== 'complete' || (root && Object.keys(root.dataset).length > 0)) return
      clearInterval(begin)
      ;(${translate.toString()})(${JSON.stringify(how)})
    }, 50)`
  await context.addInitScript({ content })
}
