import { plural, t } from '@lingui/core/macro'

/** Why a call failed: what the API answered (RFC 9457), or that no answer came. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly code: string
  readonly fields: readonly { location: string; message: string }[]
  readonly retryAfter: number | null

  /** Texts of this app are functions: a call may fail before the page's texts are there. */
  constructor(
    message: string | (() => string),
    of: {
      status: number
      code: string
      fields?: readonly { location: string; message: string }[]
      retryAfter?: number | null
    },
  ) {
    super(typeof message === 'string' ? message : '')
    if (typeof message === 'function') Object.defineProperty(this, 'message', { get: message })
    this.status = of.status
    this.code = of.code
    this.fields = of.fields ?? []
    this.retryAfter = of.retryAfter ?? null
  }
}

export function isProblem(error: unknown, code?: string): error is Problem {
  return error instanceof Problem && (code === undefined || error.code === code)
}

/** No answer at all: the network is down, or the server is. */
export function unreachable(): Problem {
  return new Problem(() => t`The server cannot be reached. Check your connection and try again.`, {
    status: 0,
    code: 'auth/network-request-failed',
  })
}

/** The answer is that of another user, who was signed in here before. */
export function sessionChanged(): Problem {
  return new Problem(() => t`Another user has signed in or out in this browser. Please try again.`, {
    status: 0,
    code: 'session-changed',
  })
}

interface ProblemBody {
  title?: string
  detail?: string
  code?: string
  errors?: { location?: string; message?: string }[] | null
}

export function problemFrom(response: Response, body: unknown): Problem {
  const { title, detail, code, errors }: ProblemBody = typeof body === 'object' && body !== null ? body : {}
  return new Problem(detail || title || (() => fallbackText(response.status)), {
    status: response.status,
    code: code ?? 'unknown',
    fields: (errors ?? []).map(({ location, message }) => ({
      location: location ?? '',
      message: message ?? '',
    })),
    retryAfter: Number(response.headers.get('Retry-After')) || null,
  })
}

function fallbackText(status: number): string {
  return status >= 500
    ? t`The server could not do this just now. Please try again in a moment.`
    : t`The server did not accept this.`
}

/** The problem as one sentence for people, with when to try again where it does not say so itself. */
export function explain(error: unknown): string {
  if (!(error instanceof Problem)) return t`Something went wrong in this page. Please try again.`
  if (error.retryAfter === null || /try again/i.test(error.message)) return error.message
  return `${error.message.replace(/\.?$/, '.')} ${tryAgainIn(error.retryAfter)}`
}

const tryAgainIn = (seconds: number) =>
  seconds < 90
    ? plural(seconds, { one: 'Try again in # second.', other: 'Try again in # seconds.' })
    : plural(
        { minutes: Math.ceil(seconds / 60) },
        { one: 'Try again in # minute.', other: 'Try again in # minutes.' },
      )
