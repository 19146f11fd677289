import { i18n, type Messages } from '@lingui/core'
import { fetchCode } from './load-code'

/** The texts of the pages in public-pages.ts and of the layouts, or all others. */
export type TextsOf = 'public' | 'app'

const loaded = new Set<TextsOf>()

/** The address of a file of texts, from the first HTML. In development and in tests the sources have the texts. */
function addressOf(part: TextsOf): string | undefined {
  if (import.meta.env.SSR) return undefined
  return document.querySelector<HTMLMetaElement>(`meta[name="texts-${part}"]`)?.content
}

/** Fetches texts in the page's language, once. */
export async function loadTexts(part: TextsOf): Promise<void> {
  const address = addressOf(part)
  if (!address || loaded.has(part)) return
  const load = () => import(/* @vite-ignore */ address) as Promise<{ messages: Messages }>
  // A message with the address would let fetchCode fetch the texts in place of the code that needs them.
  const { messages } = await fetchCode(load).catch((cause: unknown) => {
    throw new Error('no texts', { cause })
  })
  loaded.add(part)
  // Without a word to React: what is shown has its texts, and parts of the first HTML may still wait for their code.
  Object.assign(i18n.messages, messages)
}

/** Fetches code together with the texts that are not public. */
export const withTexts =
  <Module>(load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    const [module] = await Promise.all([load(), loadTexts('app')])
    return module
  }
