import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

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

export default defineConfig({
  plugins: [react(), tailwindcss(), scriptAfterBoot(), developmentBoot()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // A release is the same whenever it is built: see release/ in the repository.
  define: {
    __BUILD_YEAR__: String(
      new Date(1000 * Number(process.env.SOURCE_DATE_EPOCH ?? Date.now() / 1000)).getUTCFullYear(),
    ),
  },
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
            // Small things that most pages with data share, in one file for all of them.
            {
              name: 'shared',
              includeDependenciesRecursively: false,
              test: /modern\/(mutationOptions|queryOptions|QueryClientProvider)\.|lib\/(assert-confirmed|search-params|use-row-focus|copy-text|ago|server-errors)\.|ui\/(moment|email|lazy|dialogs|page-head|badge|person)\./,
            },
            {
              name: 'circles',
              includeDependenciesRecursively: false,
              test: /(features\/circles\/(circle-tabs|secret)|entities\/circle\/(joining|member-count|members|mutations|queries|role-badge))\./,
            },
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
