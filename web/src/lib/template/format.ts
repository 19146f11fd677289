import { isChoice, isRecorded, isRecording, overChoices, record, recordCall } from './values'

/**
 * A pure function that the server's templates know too, by `name` (internal/server/formats.go): at build, what it is
 * called with may be page data. In the browser it is `compute`.
 */
export function format<Args extends unknown[], Result>(
  name: string,
  compute: (...args: Args) => Result,
): (...args: Args) => Result {
  if (!import.meta.env.SSR) return compute
  const call = (args: Args): unknown => {
    const at = args.findIndex(isChoice)
    if (at >= 0) return overChoices(args[at], (one) => call(args.with(at, one) as Args))
    return args.some(isRecorded) ? recordCall(name, args) : compute(...args)
  }
  return (...args) => call(args) as Result
}

/** The page's address, read by `parse`; at build, the server's reading of it. */
export function ofAddress<T>(path: '$.query' | '$.query.page' | '$.query.comments', parse: () => T): T {
  if (!import.meta.env.SSR || !isRecording()) return parse()
  return record<T>(path, path === '$.query' ? 'object' : 'value')
}
