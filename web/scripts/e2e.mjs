// Runs Playwright on ../e2e against ../bin/studycircle.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { linkE2e } from './link-e2e.mjs'

linkE2e()
const playwright = fileURLToPath(new URL('../node_modules/@playwright/test/cli.js', import.meta.url))
const { status } = spawnSync(process.execPath, [playwright, 'test', ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('../../e2e/', import.meta.url)),
  stdio: 'inherit',
})
process.exit(status ?? 1)
