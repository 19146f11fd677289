import { fileURLToPath } from 'node:url'
import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import { createSwcExtractor } from '@lingui/native-tools'

export default defineConfig({
  rootDir: fileURLToPath(new URL('..', import.meta.url)),
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [
    {
      path: '<rootDir>/locales/{locale}',
      include: ['<rootDir>/web/src'],
      exclude: ['**/*.test.*', '<rootDir>/web/src/test', '<rootDir>/web/src/app/dev'],
    },
  ],
  extractors: [createSwcExtractor()],
  format: formatter({ lineNumbers: false }),
})
