import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import type { BootData } from './boot'
import type { LiveEvent } from './live-events'

/** The kinds of live events. */
export type EventKind =
  | 'assignment.created'
  | 'assignment.updated'
  | 'assignment.deleted'
  /** For the assignment's creator. */
  | 'assignment.results'
  | 'comment.created'
  | 'comment.changed'
  | 'comment.deleted'
  | 'submission.pending'
  | 'submission.changed'
  | 'submission.withdrawn'
  | 'submission.graded'
  | 'own-submission'
  /** For the reviewer who asked about the submission. */
  | 'question.answered'
  | 'notifications'
  /** For those who decide on them. */
  | 'reports'
  /** For those who are in the circle, or have just left it. */
  | 'circle.changed'

/** Events about the viewer's own work. */
const aboutOwnWork: readonly string[] = ['assignment.results', 'own-submission'] satisfies EventKind[]

/**
 * Declarations of queries, without the cache itself (query-client.ts), which pages without data must not load.
 */
declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Changes nothing that derived answers are made of. */
      aside?: boolean
    }
    queryMeta: {
      /** The kinds of live events that make the answer stale. `reset` makes every answer stale. */
      staleOn: readonly EventKind[]
      /** The only subject whose events count. */
      subject?: string
      /** The name under which the first HTML brings the answer. */
      boot?: keyof BootData
      /** Fills related queries from an answer that comes with the first HTML. */
      prime?: (client: QueryClient, answer: unknown) => void
      /** Depends on what the viewer has done: all their mutations, but for those aside, and the events about their work make it stale. */
      derived?: boolean
    }
  }
}

/** Within this time a cached answer is shown without a fetch; afterwards, it is shown and fetched again. */
export const usuallyFreshMs = 30_000

/** A query of a page, whatever its answer is. */
export interface PageQuery {
  key: QueryKey
  boot: keyof BootData | undefined
  /** Fetches unless a fresh answer is cached or on its way. Never rejects: the cache holds the error. */
  prefetch: (client: QueryClient) => Promise<void>
  /** Takes over an answer that came with the first HTML. */
  prime: (client: QueryClient, answer: unknown) => void
}

/** Lets a page name a query. One that is refused, as a visitor's for a user's own list, is not prefetched. */
export function pageQuery<Answer, Key extends QueryKey>(
  options: FetchQueryOptions<Answer, Error, Answer, Key>,
  refused = false,
): PageQuery {
  const key: QueryKey = options.queryKey
  return {
    key,
    boot: options.meta?.boot,
    prefetch: (client) => (refused ? Promise.resolve() : client.prefetchQuery(options)),
    prime: (client, answer) => {
      setAnswer(client, options, answer as Answer)
      options.meta?.prime?.(client, answer)
    },
  }
}

/** Puts an answer into the cache together with the query's declarations, which `setQueryData` leaves out. */
export function setAnswer<Answer, Key extends QueryKey>(
  client: QueryClient,
  options: FetchQueryOptions<Answer, Error, Answer, Key>,
  answer: Answer,
  updatedAt = Date.now(),
): void {
  client
    .getQueryCache()
    .build(client, client.defaultQueryOptions(options))
    .setData(answer, { updatedAt, manual: true })
}

interface Keyed {
  queryKey: QueryKey
}

/**
 * The placeholder data of a list whose key ends in a page number or a search text: its previous answer stays until the
 * next one is there. The rest of the key names the subject; an answer about another subject is never shown.
 */
export const previousOfSubject =
  (key: QueryKey) =>
  <Answer>(answer: Answer | undefined, previous: Keyed | undefined): Answer | undefined =>
    subjectOf(key) === subjectOf(previous?.queryKey ?? []) ? answer : undefined

const subjectOf = (key: QueryKey) => JSON.stringify(key.slice(0, -1))

/** Queries whose answer on its way may be too old already. */
const staleOnArrival = new WeakSet<object>()

/**
 * Marks answers as stale: they are shown until the new ones are there, and asked for at once where they are
 * shown. One that is on its way may be too old already: it is used, and fetched again.
 */
export function invalidate(client: QueryClient, ...keys: QueryKey[]): void {
  for (const queryKey of keys) {
    for (const query of client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' })) {
      if (staleOnArrival.has(query)) continue
      staleOnArrival.add(query)
      const again = () => {
        staleOnArrival.delete(query)
        invalidate(client, query.queryKey)
      }
      void query.promise?.then(again, again)
    }
    void client.invalidateQueries({ queryKey }, { cancelRefetch: false })
  }
}

/** Keys of the answers that anything which the viewer changes may change. */
export const derivedKeys = (client: QueryClient): QueryKey[] =>
  client
    .getQueryCache()
    .findAll({ predicate: ({ meta }) => meta?.derived === true })
    .map(({ queryKey }) => queryKey)

/**
 * The key of a mutation that takes a subject from the viewer's sight. It ends when the viewer has left the subject's page.
 * Until then, no event about the subject makes the page ask for what the server refuses by now.
 */
export const partingKey = (id: string) => ['parting', id]

/** Resolves once no page shows an answer below a key: a page stays for a moment after the address has changed. */
export const unobserved = (client: QueryClient, queryKey: QueryKey) =>
  new Promise<void>((resolve) => {
    const cache = client.getQueryCache()
    const look = () => {
      if (cache.findAll({ queryKey, type: 'active' }).length > 0) return
      stop()
      resolve()
    }
    const stop = cache.subscribe(look)
    look()
  })

/** Keys of the answers that a live event makes stale. A query without declarations counts as stale. */
export const staleKeys = (client: QueryClient, { kind, id }: LiveEvent): QueryKey[] => {
  const isParting = client.isMutating({ mutationKey: partingKey(id) }) > 0
  return client
    .getQueryCache()
    .findAll({
      predicate: ({ meta, state }) => {
        if (isParting && (meta?.subject === id || circleOf(state.data) === id)) return false
        // The event says that there is no answer any more.
        if (kind === 'assignment.deleted' && state.data === null) return false
        if (kind === 'reset' || !meta) return true
        if (meta.derived && aboutOwnWork.includes(kind)) return true
        // An answer that names its circle depends on the viewer's membership.
        if (kind === 'circle.changed' && circleOf(state.data) === id) return true
        const kinds: readonly string[] = meta.staleOn
        return kinds.includes(kind) && (meta.subject === undefined || meta.subject === id)
      },
    })
    .map(({ queryKey }) => queryKey)
}

const circleOf = (answer: unknown) => (answer as { circleId?: string | null } | null | undefined)?.circleId
