import { fileURLToPath } from 'node:url'
import { lingui } from '@lingui/vite-plugin'
import react from '@vitejs/plugin-react'
import tailwindcss from '@tailwindcss/vite'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { FlakyReporter } from './src/test/flaky-reporter'

export default defineConfig({
  plugins: [lingui({ macroTransform: true }), react(), tailwindcss()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  define: { __BUILD_YEAR__: String(new Date().getFullYear()) },
  // Tests read files that other languages share.
  server: { fs: { allow: ['..'] } },
  // Everything the pages need is known before the first test, so that nothing reloads in the middle of one.
  optimizeDeps: {
    include: [
      '@lingui/core',
      '@lingui/react',
      'react',
      'react-dom/client',
      'react-router',
      'react-router/dom',
      'react-hook-form',
      '@tanstack/react-query',
      'react-day-picker',
      '@simplewebauthn/browser',
      'embla-carousel-react',
      'openapi-fetch',
      'zod/mini',
      'minisearch',
      'temml',
      'msw',
    ],
  },
  test: {
    setupFiles: ['src/test/setup.ts'],
    // Half of them would leave a core idle.
    maxWorkers: '100%',
    // A passing test takes no longer: the time is for a busy machine.
    testTimeout: 60_000,
    // CI repeats a failed test once and reports it as flaky. A developer sees the failure at once.
    retry: process.env['CI'] ? 1 : 0,
    reporters: ['default', new FlakyReporter()],
    expect: { poll: { timeout: 30_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: {
          executablePath: '/usr/bin/chromium',
          args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
        },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
