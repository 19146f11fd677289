import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lingui } from '@lingui/vite-plugin'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { pageTexts } from './scripts/page-texts.ts'

/**
 * The server puts the boot JSON where `<!--boot-->` stands, and promises to find the app's script
 * right after it; Vite would hoist that script into the head.
 */
function scriptAfterBoot(): Plugin {
  return {
    name: 'script-after-boot',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const script = /\s*<script type="module"[^>]*><\/script>/.exec(html)?.[0]
        if (!script || !html.includes('<!--boot-->')) return html
        return html.replace(script, '').replace('<!--boot-->', `<!--boot-->${script.trim()}`)
      },
    },
  }
}

/** Gives the development server the site settings that the real server would send. */
function developmentBoot(): Plugin {
  const site = fileURLToPath(new URL('../internal/site/default.json', import.meta.url))
  return {
    name: 'development-boot',
    apply: 'serve',
    transformIndexHtml: (html) =>
      html.replace(
        '<!--boot-->',
        `<script type="application/json" id="boot">{"brand":"StudyCircle","site":${readFileSync(site, 'utf8')}}</script>`,
      ),
  }
}

const libraryOf = (id: string) => /node_modules\/(?:.*node_modules\/)?([^/]+)/.exec(id)?.[1]
const ofCore = new Set(['@lingui', 'react', 'react-dom', 'react-router', 'scheduler'])
const found = new Map<string, Set<string>>()

/** The libraries that a module needs, by itself or by what it imports. */
function librariesOf(id: string, context: Rolldown.ChunkingContext): Set<string> {
  const known = found.get(id)
  if (known) return known
  const libraries = new Set<string>()
  found.set(id, libraries)
  const library = libraryOf(id)
  if (library) return ofCore.has(library) ? libraries : libraries.add(library)
  // The list of all components says nothing about those that are used.
  if (id.endsWith('components/ui/index.ts')) return libraries
  for (const next of context.getModuleInfo(id)?.importedIds ?? []) {
    for (const one of librariesOf(next, context)) libraries.add(one)
  }
  return libraries
}

/** The modules that ten pages and parts share, and that need one of these libraries and no other, but for the core's. */
const shared = (name: string, libraries: readonly string[]) => ({
  debugName: name,
  name: (id: string, context: Rolldown.ChunkingContext) => {
    if (!/node_modules|\/src\//.test(id) || id.endsWith('components/ui/index.ts')) return null
    const needs = librariesOf(id, context)
    return needs.size > 0 === libraries.length > 0 && [...needs].every((one) => libraries.includes(one))
      ? name
      : null
  },
  minShareCount: 10,
  includeDependenciesRecursively: false,
})

export default defineConfig({
  plugins: [
    lingui({ macroTransform: true }),
    react(),
    tailwindcss(),
    pageTexts(),
    scriptAfterBoot(),
    developmentBoot(),
  ],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      // Lingui's copy of what React has.
      'use-sync-external-store/shim': 'react',
    },
  },
  // A release is the same whenever it is built: see release/ in the repository.
  define: {
    __BUILD_YEAR__: String(
      new Date(1000 * Number(process.env.SOURCE_DATE_EPOCH ?? Date.now() / 1000)).getUTCFullYear(),
    ),
  },
  worker: { plugins: () => [lingui({ macroTransform: true })] },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
  build: {
    target: 'baseline-widely-available',
    emptyOutDir: false,
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The entry's static imports in one file: it compresses better than many, and arrives in one request.
        codeSplitting: {
          groups: [
            { name: 'core', tags: ['$initial'], test: /node_modules|src\/(?!app\/entry-client)/ },
            // What many pages share, in one file for all of them. What needs a library of its own is not among it: a
            // page would load the library with the rest.
            shared('shared', []),
            shared('api', ['openapi-fetch']),
            shared('data', ['openapi-fetch', '@tanstack']),
          ],
        },
        // Pages and parts that load on demand keep their names. A file that several of them share is known by its
        // hash: every name is a cost to the home page, whose script lists all files.
        chunkFileNames: ({ isDynamicEntry, name }) =>
          isDynamicEntry || name === 'core' ? 'assets/[name]-[hash].js' : 'assets/[hash].js',
      },
    },
  },
})
