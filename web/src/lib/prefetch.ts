type Prefetcher = (path: string) => void

let prefetcher: Prefetcher | null = null

/** The app knows its routes; links do not. It tells them here how to get a page ready. */
export function setPrefetcher(fn: Prefetcher): void {
  prefetcher = fn
}

/** Fetches code and data of a page that is likely to be opened next. Failing is silent: opening the page tries again. */
export function prefetch(path: string): void {
  prefetcher?.(path)
}
