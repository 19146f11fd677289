type Prefetcher = (path: string) => void

let prefetcher: Prefetcher | null = null

/** The app registers here how to prefetch a page, because links do not know its routes. */
export function setPrefetcher(fn: Prefetcher): void {
  prefetcher = fn
}

/** Fetches code and data of a page that is likely to be opened next. Failing is silent: opening the page tries again. */
export function prefetch(path: string): void {
  prefetcher?.(path)
}
