import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** What is known of one thing that is fetched: its last good answer, and how the last attempt ended. */
interface Entry<T> {
  readonly data: T | undefined
  readonly error: unknown
  readonly fetching: boolean
  /** When `data` came in; 0 once it is known to be out of date. */
  readonly at: number
  /** It became out of date while it was being fetched: what comes may be too old. */
  readonly late?: boolean
}

/** Within this time an answer is shown again without asking; after it, it is shown and asked for again. */
const usuallyFreshMs = 30_000
/** Answers kept; the oldest go first. A page of ten assignments is some 10 kB. */
const maxEntries = 100

const nothing: Entry<never> = { data: undefined, error: null, fetching: false, at: 0 }
const entries = new Map<string, Entry<unknown>>()
const listeners = new Set<() => void>()
let generation = 0
let keepsAnswers: () => void = () => undefined
/** Resolves with the first answer that is kept or asked for: before, nothing can be out of date. */
export const firstAnswer = new Promise<void>((resolve) => (keepsAnswers = resolve))
/** What was known when the first HTML was drawn: its elements are met with this, whatever came in since. */
let drawn: ReadonlyMap<string, Entry<unknown>> = new Map()

function put(key: string, entry: Entry<unknown>) {
  entries.delete(key)
  entries.set(key, entry)
  keepsAnswers()
  for (const oldest of entries.keys()) {
    if (entries.size <= maxEntries) break
    entries.delete(oldest)
  }
  for (const listener of listeners) listener()
}

function read<T>(key: string): Entry<T> {
  return (entries.get(key) as Entry<T> | undefined) ?? nothing
}

/** Puts an answer in that came by another road: with the HTML, or inside another answer. */
export function seed(key: string, data: unknown, at = Date.now()): void {
  put(key, { data, error: null, fetching: false, at })
}

/** Says that the first HTML shows what is known now. */
export function keepDrawn(): void {
  drawn = new Map(entries)
}

/** Puts a failure in that came with the HTML; it is not asked for again until somebody wants to. */
export function seedFailure(key: string, error: unknown): void {
  put(key, { data: undefined, error, fetching: false, at: Date.now() })
}

/** Fetches unless a fresh answer is there or on its way. Never rejects: the entry tells. */
export async function ensure<T>(
  key: string,
  fetcher: () => Promise<T>,
  freshMs = usuallyFreshMs,
): Promise<void> {
  const entry = read<T>(key)
  const known = entry.data !== undefined || entry.error !== null
  if (entry.fetching || (known && Date.now() - entry.at < freshMs)) return
  const asked = generation
  put(key, { ...entry, fetching: true, late: false, error: entry.data === undefined ? null : entry.error })
  try {
    const data = await fetcher()
    if (asked === generation) seed(key, data, read(key).late ? 0 : Date.now())
  } catch (error) {
    if (asked === generation) put(key, { ...read<T>(key), fetching: false, error })
  }
}

/** Changes what is known under every key that starts with `prefix`; `undefined` drops the entry. */
export function patch<T>(prefix: string, change: (data: T) => T | undefined): void {
  for (const [key, entry] of Array.from(entries)) {
    if (!key.startsWith(prefix) || entry.data === undefined) continue
    const data = change(entry.data as T)
    if (data === undefined) entries.delete(key)
    else put(key, { ...entry, data })
  }
}

/** Marks answers as out of date: they are shown until the new ones are there. Failures are tried again. */
export function outdate(...prefixes: string[]): void {
  for (const [key, entry] of Array.from(entries)) {
    if (prefixes.some((prefix) => key.startsWith(prefix)))
      put(key, { ...entry, at: 0, error: null, late: entry.fetching })
  }
}

/** Forgets everything, answers still on their way included. */
export function clearCache(): void {
  generation++
  entries.clear()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export interface Resource<T> {
  data: T | undefined
  error: unknown
  /** No answer yet, and none has failed. */
  loading: boolean
  retry: () => void
}

/** One fetched thing in a component: shows what is known, asks for what is not, asks again when back online. */
export function useResource<T>(
  key: string,
  fetcher: () => Promise<T>,
  freshMs = usuallyFreshMs,
): Resource<T> {
  const entry = useSyncExternalStore(
    subscribe,
    () => read<T>(key),
    () => (drawn.get(key) as Entry<T> | undefined) ?? nothing,
  )
  const load = useEffectEvent((force: boolean) => void ensure(key, fetcher, force ? 0 : freshMs))
  // Dropped or out of date while shown. A failure is not repeated by itself.
  const wanted = entry.at === 0 && !entry.error && !entry.fetching
  useEffect(() => load(false), [key])
  useEffect(() => {
    if (wanted) load(false)
  }, [wanted])
  useEffect(() => {
    const again = () => load(true)
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [])
  return {
    data: entry.data,
    error: entry.data === undefined ? entry.error : null,
    loading: entry.data === undefined && !entry.error,
    retry: () => void ensure(key, fetcher, 0),
  }
}
