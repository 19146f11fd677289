// usage: check.mjs [types]
// Types, lint with its boundaries, texts, format, unused code. All of them run, so that one look shows everything.
import { spawnSync } from 'node:child_process'
import { linkE2e } from './link-e2e.mjs'

linkE2e()
const lint = 'oxlint --type-aware --deny-warnings .'
const browserTests = '../e2e/*.ts ../e2e/{everywhere,product,screens,support}/*.ts'
const all = [
  { name: 'types', run: 'tsc --project .' },
  { name: 'types of the browser tests', run: 'tsc --project ../e2e' },
  { name: 'lint and boundaries', run: lint },
  { name: 'lint of the browser tests', run: lint, cwd: '../e2e' },
  { name: 'texts in functions', run: 'node scripts/texts.mjs' },
  { name: 'format', run: `prettier --config .prettierrc.json --check --log-level warn . ${browserTests}` },
  { name: 'unused code', run: 'knip --no-progress' },
]

const only = process.argv[2] ?? ''
const checks = all.filter(({ name }) => name.startsWith(only))
const failed = checks.filter(({ run, cwd = '.' }) => {
  const [command, ...args] = run.split(' ')
  return spawnSync(command, args, { cwd, stdio: 'inherit' }).status !== 0
})
for (const { name } of failed) console.error(`failed: ${name}`)
process.exit(failed.length > 0 ? 1 : 0)
