import { defineConfig } from '@playwright/test'

export default defineConfig({
  outputDir: 'results',
  reporter: [['list', { printSteps: false }], ['./support/flaky.ts']],
  // What is as it should be is seen at once; the rest is for a busy machine.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: !!process.env.CI,
  fullyParallel: true,
  // CI retries a failed test once and reports it as flaky. A developer sees the failure at once.
  retries: process.env.CI ? 1 : 0,
  workers: 2,
  use: {
    // Recording every test takes half as much time again: a failure is recorded when it is run again.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: '/usr/bin/chromium-headless-shell',
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
    { name: 'everywhere', testDir: 'everywhere' },
    { name: 'screenshots', testDir: 'screens' },
  ],
})
