import { defineConfig } from '@playwright/test'

export default defineConfig({
  outputDir: 'results',
  reporter: [['list', { printSteps: false }]],
  // What is as it should be is seen at once; the rest is for a busy machine.
  timeout: 180_000,
  expect: { timeout: 30_000 },
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
