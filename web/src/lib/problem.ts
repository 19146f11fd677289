import { once } from './once'

/** Why a call failed: what the API answered (RFC 9457), or that no answer came. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly code: string
  readonly fields: readonly { location: string; message: string }[]
  readonly retryAfter: number | null

  constructor(
    message: string,
    of: {
      status: number
      code: string
      fields?: readonly { location: string; message: string }[]
      retryAfter?: number | null
    },
  ) {
    super(message)
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
  return new Problem('The server cannot be reached. Check your connection and try again.', {
    status: 0,
    code: 'auth/network-request-failed',
  })
}

/** The answer is that of another user, who was signed in here before. */
export function sessionChanged(): Problem {
  return new Problem('Another user has signed in or out in this browser. Please try again.', {
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
  return new Problem(detail || title || fallbackText(response.status), {
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
    ? 'The server could not do this just now. Please try again in a moment.'
    : 'The server did not accept this.'
}

const inUnit = (unit: string) =>
  once(() => new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }))
const seconds = inUnit('second')
const minutes = inUnit('minute')

/** The problem as one sentence for people, with when to try again where it does not say so itself. */
export function explain(error: unknown): string {
  if (!(error instanceof Problem)) return 'Something went wrong in this page. Please try again.'
  if (error.retryAfter === null || /try again/i.test(error.message)) return error.message
  const wait =
    error.retryAfter < 90
      ? seconds().format(error.retryAfter)
      : minutes().format(Math.ceil(error.retryAfter / 60))
  return `${error.message.replace(/\.?$/, '.')} Try again in ${wait}.`
}
