import { isRecorded, record, recordCall } from './recorder'

/**
 * A pure function that the server's templates know too, by `name` (internal/server/formats.go): at build, what it is
 * called with may be recorded. In the browser it is `compute`.
 */
export function format<Args extends unknown[], Result>(
  name: string,
  compute: (...args: Args) => Result,
): (...args: Args) => Result {
  if (import.meta.env.SSR) {
    return (...args) => (args.some(isRecorded) ? recordCall<Result>(name, args) : compute(...args))
  }
  return compute
}

/** Whether both are the same. */
export const same = format<[unknown, unknown], boolean>('eq', (a, b) => a === b)

/** Whether there is a value, be it zero or empty. */
export const known = format<[unknown], boolean>('known', (value) => value !== undefined && value !== null)

/** Whether `a` is more than `b`. */
export const more = format<[number, number], boolean>('gt', (a, b) => a > b)

/** The first value that is neither empty, zero, false nor absent; else the last. */
export const or = format(
  'or',
  <T>(...values: T[]): T | undefined => values.find(Boolean) ?? values.at(-1),
) as <T>(...values: T[]) => NonNullable<T>

/** What the page's address says, read by `parse`: at build, what the server reads there. */
export function ofAddress<T>(path: '$.query' | '$.query.page' | '$.query.comments', parse: () => T): T {
  return import.meta.env.SSR ? record<T>(path) : parse()
}
