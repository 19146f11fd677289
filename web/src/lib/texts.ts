import { i18n, type Messages } from '@lingui/core'
import type { TextsPart } from './page-texts'
import { fetchCode } from './load-code'

const loaded = new Set<TextsPart>()

/** The address of a file of texts, from the first HTML. In development and in tests the sources have the texts. */
function addressOf(part: TextsPart): string | undefined {
  if (import.meta.env.SSR) return undefined
  return document.querySelector<HTMLMetaElement>(`meta[name="texts-${part}"]`)?.content
}

/** Fetches texts in the page's language, once. */
export async function loadTexts(part: TextsPart): Promise<void> {
  const address = addressOf(part)
  // `app` has the texts of `visit`, too.
  if (!address || loaded.has(part) || (part === 'visit' && loaded.has('app'))) return
  const load = () => import(/* @vite-ignore */ address) as Promise<{ messages: Messages }>
  // A message with the address would let fetchCode fetch the texts in place of the code that needs them.
  const { messages } = await fetchCode(load).catch((cause: unknown) => {
    throw new Error('no texts', { cause })
  })
  loaded.add(part)
  // Without a word to React: what is shown has its texts, and parts of the first HTML may still wait for their code.
  Object.assign(i18n.messages, messages)
}

/** Fetches code together with texts that are not public. */
export const withTexts =
  <Module>(load: () => Promise<Module>, part: TextsPart = 'app'): (() => Promise<Module>) =>
  async () => {
    const [module] = await Promise.all([load(), loadTexts(part)])
    return module
  }
