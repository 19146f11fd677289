import type { BrowserContext, Request } from '@playwright/test'

/**
 * The addresses, passwords, tokens and codes that this worker's browsers and API calls have sent or got. No log may
 * contain one.
 */
const used = new Set<string>()

const names = /^(email|.*password|.*token|secret|code|value|authorization)$/i

/** Remembers the members of a body or of headers that are secrets. */
export function rememberSecrets(of: unknown): void {
  if (typeof of !== 'object' || of === null) return
  for (const [name, value] of Object.entries(of)) {
    if (typeof value === 'string' && names.test(name)) remember(value.replace(/^Bearer /, ''))
    else rememberSecrets(value)
  }
}

// Shorter ones are no secrets but what tests type wrong.
const remember = (value: string) => value.length > 6 && used.add(value)

/** Remembers what pages of a context send. */
export function watchSecrets(context: BrowserContext): void {
  context.on('request', (request) => {
    rememberSecrets(request.headers())
    rememberSecrets(Object.fromEntries(new URL(request.url()).searchParams))
    rememberSecrets(bodyOf(request))
  })
}

/** Remembers the sessions in a context's cookies. */
export async function rememberCookies(context: BrowserContext): Promise<void> {
  rememberSecrets(await context.cookies())
}

function bodyOf(request: Request): unknown {
  try {
    return JSON.parse(request.postData() ?? 'null')
  } catch {
    return null // not JSON: a file
  }
}

/** Fails with the first line of a server's log that contains a secret. */
export function expectNoSecretIn(log: string): void {
  // Most lines differ in these alone.
  const lines = new Set(
    log.split('\n').map((line) => line.replace(/^time=\S+ |request=[A-Z2-7]{26}|ms=\d+/g, '')),
  )
  for (const line of lines) {
    for (const secret of used) {
      if (line.includes(secret)) throw new Error(`The log contains ${secret}:\n${line}`)
    }
  }
}
