import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import type { Plugin, Rolldown } from 'vite'
import { pagesOf } from '../src/lib/page-texts.ts'

/** Reports whether code is a page or a part of one, whose texts `withTexts` fetches. */
const isView = ({ exports }: Rolldown.OutputChunk) =>
  exports.includes('default') || exports.includes('Component')

/** The scripts of the entry and of pages that run before `withTexts` has fetched the texts of their parts. */
function scriptsOf(bundle: Rolldown.OutputBundle, pages: readonly string[]): Set<Rolldown.OutputChunk> {
  const parts = ['src/app/data-page.tsx', ...pages.map((name) => `src/routes/${name}.tsx`)]
  const found = new Set<Rolldown.OutputChunk>()
  function follow(file: string) {
    const chunk = bundle[file]
    if (chunk?.type !== 'chunk' || found.has(chunk)) return
    found.add(chunk)
    chunk.imports.forEach(follow)
    for (const next of chunk.dynamicImports) {
      const part = bundle[next]
      if (part?.type === 'chunk' && !isView(part)) follow(next)
    }
  }
  for (const [file, chunk] of Object.entries(bundle)) {
    if (chunk.type !== 'chunk') continue
    if (chunk.isEntry || parts.some((part) => chunk.facadeModuleId?.endsWith(`/web/${part}`))) follow(file)
  }
  return found
}

/** The ids of texts that scripts name. A word that looks like an id costs a needless text at worst. */
function idsIn(codes: Iterable<string>): Set<string> {
  const ids = new Set<string>()
  for (const code of codes) {
    for (const [, id = ''] of code.matchAll(/["'`](?=([\w-]{6})["'`])/g)) ids.add(id)
  }
  return ids
}

/** The ids of texts that are surely looked up. In `{..._("reason")}`, `_` is no method but some minified function. */
const lookedUp = (codes: readonly string[]) =>
  codes.flatMap((code) =>
    [...code.matchAll(/\w\._\((?:\{id:)?["'`]([\w-]{6})["'`]/g)].map(([, id = '']) => id),
  )

const languages = ['en']
/** English with accents, longer and in brackets: tests see by it which texts are in no catalogue. */
const pseudo = 'en-XA'

async function textsOf(language: string): Promise<Record<string, string>> {
  const config = getConfig()
  const [catalog] = await getCatalogs(config)
  if (!catalog) throw new Error('lingui.config.ts names no catalogue')
  return (await catalog.getTranslations(language, config)).messages
}

/** Compiles those of a language's texts that have these ids. */
function compiled(language: string, texts: Record<string, string>, has: (id: string) => boolean): string {
  const wanted = Object.fromEntries(Object.entries(texts).filter(([id]) => has(id)))
  const { source, errors } = createCompiledCatalog(language, wanted, {
    namespace: 'es',
    outputPrefix: '',
    pseudoLocale: pseudo,
    pseudoLocaleOptions: { prepend: '⟦', append: '⟧', extend: 0.4 },
  })
  for (const { source: text, error } of errors) throw new Error(`${language}: “${text}”`, { cause: error })
  return language === pseudo ? source.replaceAll(/(?<=⟦) +| +(?=⟧)/g, visibly) : source
}

/** Browsers draw several spaces as one: what makes a text longer becomes words of dots. */
const visibly = (spaces: string) => '····· '.repeat(spaces.length).slice(0, spaces.length)

/**
 * Writes each language's texts in the files of src/lib/page-texts.ts, and notes their
 * names in .vite/texts.json; the pseudo-language's stay there.
 */
export function pageTexts(): Plugin {
  return {
    name: 'page-texts',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    // After Vite, which adds the workers.
    generateBundle: { order: 'post', handler: writeTexts },
  }
}

const textOf = (source: string | Uint8Array) =>
  typeof source === 'string' ? source : new TextDecoder().decode(source)

async function writeTexts(this: Rolldown.PluginContext, _options: unknown, bundle: Rolldown.OutputBundle) {
  const codes = Object.values(bundle).flatMap((file) =>
    file.type === 'chunk' ? file.code : file.fileName.endsWith('.js') ? textOf(file.source) : [],
  )
  const all = idsIn(codes)
  const idsOf = (pages: readonly string[]) => idsIn([...scriptsOf(bundle, pages)].map(({ code }) => code))
  const open = idsOf(pagesOf.public)
  const visited = idsOf(pagesOf.visit)
  const parts = {
    public: (id: string) => open.has(id),
    visit: (id: string) => visited.has(id) && !open.has(id),
    app: (id: string) => all.has(id) && !open.has(id),
  }
  const names: Record<string, Record<string, string>> = {}
  for (const language of languages) {
    names[language] = {}
    const texts = await textsOf(language)
    if (lookedUp(codes).some((id) => !(id in texts))) throw new Error('A text is in no catalogue: make words')
    for (const [part, has] of Object.entries(parts)) {
      const file = this.emitFile({
        type: 'asset',
        name: `${language}-${part}.js`,
        source: compiled(language, texts, has),
      })
      names[language][part] = this.getFileName(file)
    }
  }
  const english = await textsOf('en')
  for (const [part, has] of Object.entries(parts)) {
    const source = compiled(pseudo, english, has)
    this.emitFile({ type: 'asset', fileName: `.vite/${pseudo}-${part}.js`, source })
  }
  this.emitFile({ type: 'asset', fileName: '.vite/texts.json', source: JSON.stringify(names) })
}
