import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectNoSecretIn } from './secrets'

const binary = join(__dirname, '../../bin/studycircle')

/** A running program with its own database. */
export interface Server {
  url: string
  /** Its data folder, with the database and, without an SMTP server, the emails. */
  data: string
  /** Ends it, and fails if its log contains a secret. */
  stop: () => Promise<void>
}

/**
 * Starts the real program on a free port and an empty folder, and waits until it answers. Where
 * STUDYCIRCLE_E2E_URL is set, tests that need no flags and no folder use what runs there instead.
 */
export async function startServer(...flags: string[]): Promise<Server> {
  const running = process.env.STUDYCIRCLE_E2E_URL
  if (running && flags.length === 0) return { url: running, data: '', stop: async () => {} }
  return start('--addr', '127.0.0.1:0', ...flags)
}

/** The same, known as `localhost`: passkeys belong to a name, and a number is none. */
export async function startNamedServer(...flags: string[]): Promise<Server> {
  const port = await freePort()
  return start('--addr', `127.0.0.1:${port}`, '--public-url', `http://localhost:${port}`, ...flags)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

async function start(...flags: string[]): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), 'studycircle-e2e-'))
  const args = ['serve', '--data', data, '--access-log', ...flags]
  // Tests register more users than one address may, and look at no links but where they say so.
  const env = { ...process.env, STUDYCIRCLE_RATE_LIMITS: 'off', STUDYCIRCLE_LINK_CHECKS: 'off' }
  const child = spawn(binary, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  try {
    const url = await readyAddress(child)
    return {
      url,
      data,
      stop: async () => {
        await stop(child, data)
        expectNoSecretIn(log)
      },
    }
  } catch (error) {
    await stop(child, data)
    throw error
  }
}

function readyAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /is ready at (http:\S+)/.exec(output)?.[1]
      if (address) resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`The server ended with code ${code}:\n${output}`)))
    setTimeout(() => reject(new Error(`The server did not get ready:\n${output}`)), 60_000).unref()
  })
}

async function stop(child: ChildProcess, data: string): Promise<void> {
  if (child.exitCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
  rmSync(data, { recursive: true, force: true })
}
