// Measures the pages of ../bin/studycircle with Lighthouse, as a phone on a slow line sees them, and writes the medians
// beside the goals. Pages take turns, so that what else the machine does falls on all of them alike.
// usage: lighthouse.mjs [--runs N] [--pages /,/assignments]
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { openReader } from './interactions.mjs'

const repository = new URL('../../', import.meta.url)
const results = new URL('proof/bench/results/', repository)
const lighthouse = fileURLToPath(new URL('../node_modules/lighthouse/cli/index.js', import.meta.url))

// Without the network of its own services Chromium does less beside the page.
const chromeFlags =
  '--headless=new --no-sandbox --disable-dev-shm-usage --disable-gpu --disable-background-networking' +
  ' --disable-component-update --disable-sync --no-first-run'

// `score` is 0 to 1 in Lighthouse's answer and shown out of 100. `goal` is the least score, or the greatest shift.
const columns = [
  { name: 'performance', score: 'performance', goal: 98 },
  { name: 'accessibility', score: 'accessibility', goal: 100 },
  { name: 'best practices', score: 'best-practices', goal: 100 },
  { name: 'SEO', score: 'seo', goal: 100 },
  { name: 'FCP ms', audit: 'first-contentful-paint' },
  { name: 'SI ms', audit: 'speed-index' },
  { name: 'LCP ms', audit: 'largest-contentful-paint' },
  { name: 'TBT ms', audit: 'total-blocking-time' },
  { name: 'CLS', audit: 'cumulative-layout-shift', goal: 0, digits: 3 },
  { name: 'INP ms', interaction: 'inp', goal: 100 },
]
const keyOf = (column) => column.score ?? column.audit ?? column.interaction
/** From the list to an assignment and back, in milliseconds until each is painted. */
const thereAndBackGoal = 100

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, pages: { type: 'string' } },
})
const runs = Number(options.runs)
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs wants a whole number from 1')

/** The end of what the program printed, for when something goes wrong. */
let lastWords = ''
const data = mkdtempSync(join(tmpdir(), 'studycircle-lighthouse-'))
const server = spawn(
  fileURLToPath(new URL('bin/studycircle', repository)),
  ['serve', '--demo', '--addr', '127.0.0.1:0', '--data', data],
  { stdio: ['ignore', 'pipe', 'pipe'] },
)
try {
  const { url, sample } = await ready(server)
  const pages = await pagesOf(url, sample)
  const loadBefore = loadavg()[0]
  const journeys = await measure(url, pages)
  report(pages, journeys, { loadBefore, loadAfter: loadavg()[0] })
} finally {
  const ended = new Promise((resolve) => server.once('exit', resolve))
  if (server.exitCode === null && server.kill('SIGTERM')) await ended
  rmSync(data, { recursive: true, force: true })
}

/** Waits for the address and the first sample sign-in, which the program prints when it answers. */
function ready(child) {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk) => {
      output += chunk.toString()
      lastWords = output.slice(-4_000)
      const url = /is ready at (http:\S+)/.exec(output)?.[1]
      const [, email, password] = /sample sign-in: (\S+)\s+password: (\S+)/.exec(output) ?? []
      if (url && email) resolve({ url, sample: { email, password } })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`The server ended with code ${code}:\n${output}`)))
    setTimeout(() => reject(new Error(`The server did not get ready:\n${output}`)), 20_000).unref()
  })
}

/** The pages that have a bar. Which of them a visitor sees differs from what a signed-in user does. */
async function pagesOf(url, sample) {
  const login = await fetch(new URL('/api/auth/login', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(sample),
  })
  const session = login.headers.getSetCookie().find((cookie) => cookie.startsWith('session='))
  if (!session) throw new Error(`The sample user cannot sign in: ${login.status} ${await login.text()}`)
  const cookie = session.split(';')[0]
  const list = await (await fetch(new URL('/api/assignments?limit=1', url))).json()
  const pages = [
    { name: '/', path: '/', runs: [] },
    { name: '/assignments', path: '/assignments', runs: [] },
    { name: '/assignment/:id', path: `/assignment/${list.data[0]._id}`, runs: [] },
    { name: '/auth/login', path: '/auth/login', runs: [] },
    { name: '/create-assignment', path: '/create-assignment', cookie, runs: [] },
    { name: '/pending-assignments', path: '/pending-assignments', cookie, runs: [] },
  ]
  const dashboard = { name: '/dashboard', path: '/dashboard', cookie, runs: [] }
  if ((await fetch(new URL(dashboard.path, url), { headers: { Cookie: cookie } })).ok) pages.push(dashboard)
  const wanted = options.pages?.split(',') ?? pages.map(({ name }) => name)
  const unknown = wanted.filter((name) => !pages.some((page) => page.name === name))
  if (unknown.length > 0) throw new Error(`No such page to measure: ${unknown.join(', ')}`)
  return pages.filter(({ name }) => wanted.includes(name))
}

async function measure(url, pages) {
  const reader = await openReader(url)
  const journeys = []
  for (let run = 1; run <= runs; run++) {
    for (const page of pages) {
      const answer = await audit(new URL(page.path, url).href, page.cookie)
      answer.values.inp = await reader.interact(page)
      page.runs.push(answer)
      const scores = columns.slice(0, 4).map(({ score }) => answer.values[score])
      console.log(`run ${run} of ${runs}  ${page.name.padEnd(22)} ${scores.join(' ')}`)
    }
    journeys.push(await reader.thereAndBack())
  }
  await reader.close()
  return journeys
}

async function audit(href, cookie, attempt = 1) {
  const file = join(data, 'lighthouse.json')
  const args = [lighthouse, href, '--quiet', '--output=json', `--output-path=${file}`]
  args.push(
    `--chrome-flags=${chromeFlags}`,
    // The stream of events stays open: the network is never as quiet as Lighthouse would wait for.
    '--max-wait-for-load=15000',
    `--only-categories=${columns.flatMap(({ score }) => score ?? []).join(',')}`,
  )
  if (cookie) args.push(`--extra-headers=${JSON.stringify({ Cookie: cookie })}`)
  const env = { CHROME_PATH: '/usr/bin/chromium', ...process.env }
  // Now and then, on a busy machine, Chromium's trace of a load is incomplete; Lighthouse says to run again. What it
  // then saves beside its answer tells more.
  if (attempt > 1) args.push('--save-assets')
  rmSync(file, { force: true })
  try {
    await promisify(execFile)(process.execPath, args, { env })
  } catch (error) {
    const why = await whyNot(href, cookie, file, error)
    if (attempt === 3 || server.exitCode !== null || server.signalCode !== null) throw why
    console.log(`again: ${why.message}`)
    return audit(href, cookie, attempt + 1)
  }
  const answer = JSON.parse(readFileSync(file, 'utf8'))
  if (answer.runtimeError) throw new Error(`${href}: ${answer.runtimeError.message}`)
  if (answer.finalDisplayedUrl !== href) throw new Error(`${href} led to ${answer.finalDisplayedUrl}`)
  const values = {}
  for (const column of columns.filter(({ interaction }) => !interaction)) {
    values[keyOf(column)] = column.score
      ? Math.round(answer.categories[column.score].score * 100)
      : Number(answer.audits[column.audit].numericValue.toFixed(column.digits ?? 0))
  }
  return {
    values,
    missed: missed(answer),
    machine: answer.environment.benchmarkIndex,
    version: answer.lighthouseVersion,
  }
}

/** Why a page was not measured: what Lighthouse says, what Chromium says of the document, what the program says. */
async function whyNot(href, cookie, file, error) {
  const answer = readIfThere(file)
  const log = readIfThere(file.replace('.json', '-0.devtoolslog.json')) ?? []
  const failures = log
    .filter(({ method, params }) => method === 'Network.loadingFailed' && params.type === 'Document')
    .map(({ params }) => params.errorText)
  const ended = server.exitCode ?? server.signalCode
  const program =
    ended === null
      ? await fetch(href, { headers: cookie ? { Cookie: cookie } : {} }).then(
          ({ status }) => `answers ${status}`,
          ({ message, cause }) => `does not answer (${cause ?? message})`,
        )
      : `ended with ${ended}`
  const said = answer?.runtimeError?.message ?? error.stderr?.trim() ?? error.message
  const lines = [
    `${href} was not measured: ${said}`,
    ...failures,
    `The program ${program}; its last words:`,
    lastWords,
  ]
  return new Error(lines.join('\n'), { cause: error })
}

function readIfThere(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

/** The audits that cost points, by Lighthouse's categories. */
function missed({ categories, audits }) {
  return Object.values(categories).flatMap(({ id, auditRefs }) =>
    auditRefs
      .filter((ref) => ref.weight > 0 && audits[ref.id].score !== null && audits[ref.id].score < 0.9)
      .map((ref) => `${id}: ${audits[ref.id].title}`),
  )
}

function median(numbers) {
  if (numbers.length === 0) return null
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

function report(pages, journeys, { loadBefore, loadAfter }) {
  const all = pages.flatMap((page) => page.runs)
  const rows = pages.map((page) => {
    const cells = columns.map((column) => {
      const value = median(
        page.runs.map(({ values }) => values[keyOf(column)]).filter((measured) => measured !== null),
      )
      return { column: column.name, value, goal: column.goal, reached: reached(column, value) }
    })
    return { page: page.name, cells, missed: [...new Set(page.runs.flatMap((run) => run.missed))] }
  })
  const conditions = {
    at: new Date().toISOString().slice(0, 10),
    lighthouse: all[0].version,
    runs,
    machineIndex: Math.round(median(all.map(({ machine }) => machine))),
    load: [loadBefore, loadAfter].map((load) => Number(load.toFixed(1))),
  }
  const journey = {
    there: median(journeys.map(({ there }) => there)),
    back: median(journeys.map(({ back }) => back)),
    goal: thereAndBackGoal,
  }
  const text = markdown(rows, journey, conditions)
  console.log(`\n${text}`)
  mkdirSync(results, { recursive: true })
  writeFileSync(new URL('pages.md', results), text)
  writeFileSync(new URL('pages.json', results), `${JSON.stringify({ conditions, rows, journey }, null, 2)}\n`)
}

function reached({ score, goal }, value) {
  if (goal === undefined || value === null) return null
  return score ? value >= goal : value <= goal
}

function markdown(rows, journey, { at, lighthouse: version, machineIndex, load }) {
  const goal = ({ score, goal: bar }) => (bar === undefined ? '' : `${score ? '≥' : '≤'} ${bar}`)
  const line = (cells) => `| ${cells.join(' | ')} |`
  const verdicts = rows.map(({ page, cells, missed: causes }) => {
    const under = cells
      .filter((cell) => cell.reached === false)
      .map(({ column, value }) => `${column} ${value}`)
    if (under.length === 0) return `- reached: ${page}`
    return `- not reached: ${page}: ${under.join(', ')}${causes.length > 0 ? ` (${causes.join('; ')})` : ''}`
  })
  return [
    `# Pages, Lighthouse ${version}, mobile profile\n`,
    `Medians of ${runs} runs on ${at}. Lighthouse's index of the machine's speed: ${machineIndex}; load average ${load[0]} before,`,
    `${load[1]} after. Scores of performance move by a point or two from run to run, and fall on a busy or slow machine.\n`,
    line(['page', ...columns.map(({ name }) => name)]),
    line(['---', ...columns.map(() => '--:')]),
    line(['*goal*', ...columns.map(goal)]),
    ...rows.map(({ page, cells }) => line([page, ...cells.map(({ value }) => value ?? '–')])),
    '',
    'INP is the slowest answer to a dozen interactions on each page, on a processor four times slower.',
    `From the list to an assignment ${journey.there} ms, and back ${journey.back} ms, until painted (goal ≤ ${journey.goal}).\n`,
    ...verdicts,
    '',
  ].join('\n')
}
