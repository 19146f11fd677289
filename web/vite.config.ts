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
  define: { __BUILD_YEAR__: String(new Date().getFullYear()) },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
  build: {
    target: 'baseline-widely-available',
    emptyOutDir: false,
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every page needs, in one file: it compresses better than many, and arrives in one request.
        codeSplitting: {
          groups: [
            {
              // What every page needs. First of those that share: a group takes what its modules need along.
              name: 'core',
              test: /node_modules\/(react|react-dom|scheduler|react-router|openapi-fetch)\/|node_modules\/@tanstack\/.*\/(query|mutation)Options|src\/(app|api)\/(?!entry-|data-page|page-queries|manifest)|src\/lib\/(drawn-day|lazy-part)/,
            },
            {
              // The small pieces that the home page shares with others, in one file instead of a dozen of a kilobyte each.
              name: 'shared',
              test: /src\/(components\/ui\/(?!toaster|due-date|dialog|message|lazy-dialog|open-dialogs|page-head|person|clamped|data-table|states|email|password|field|inputs|form-failure|picture|toggle|new-rows|mark-news|write-preview|report|reason|review|today|timeline|moment|rubric)|lib\/(dates|drafts|once|text|today|use-draft|use-redirect-past-end)\.)/,
              minShareCount: 2,
            },
            {
              // The cache of the API's answers, for pages that show any.
              name: 'query',
              test: /node_modules\/@tanstack|src\/lib\/(query-client|live-events)|src\/app\/page-queries|src\/features\/(assignments|notifications|profile|progress|submissions)\/(queries|list-query|mutations)\./,
            },
            {
              // What forms are made of.
              name: 'forms',
              test: /src\/components\/ui\/(picture-field|field|form-failure|inputs|password)/,
              minShareCount: 2,
            },
            {
              // The small pieces that several pages share and the home page does not need: its budget is the tightest.
              name: 'pieces',
              test: /src\/components\/ui\/(dialog(?!-form)|message|lazy-dialog|open-dialogs|due-date|page-head)|src\/features\/assignments\/assignment-sheet/,
              minShareCount: 2,
            },
            {
              // What the settings share with lists, so that they do without the rest of those.
              name: 'lines',
              test: /src\/components\/ui\/email|src\/lib\/use-row-focus/,
              minShareCount: 2,
            },
            {
              // What lists are made of.
              name: 'rows',
              test: /src\/components\/ui\/(clamped|data-table|mark-news|new-rows|person)|src\/lib\/(use-newcomers|page-of)|state-badge|submission-table|rubric-list|exemplars-query|deciding/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
})
