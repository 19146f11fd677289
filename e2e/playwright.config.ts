import { defineConfig } from '@playwright/test'

export default defineConfig({
  outputDir: 'results',
  reporter: [['list', { printSteps: false }]],
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: !!process.env.CI,
  fullyParallel: true,
  workers: 2,
  use: {
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'product', testDir: 'product' },
    { name: 'screenshots', testDir: 'screens' },
  ],
})
