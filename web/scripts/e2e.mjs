// Runs Playwright on ../e2e against ../bin/studycircle. The tests use this package's modules through a link,
// so that there is one lock file.
import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const e2e = new URL('../../e2e/', import.meta.url)
const modules = new URL('node_modules', e2e)
if (!existsSync(modules)) symlinkSync('../web/node_modules', modules)

const playwright = fileURLToPath(new URL('../node_modules/@playwright/test/cli.js', import.meta.url))
const { status } = spawnSync(process.execPath, [playwright, 'test', ...process.argv.slice(2)], {
  cwd: fileURLToPath(e2e),
  stdio: 'inherit',
})
process.exit(status ?? 1)
