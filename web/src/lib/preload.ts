type Preloader = (path: string) => void

let preloader: Preloader | null = null

/** The app knows its routes; links do not. It tells them here how to get a page ready. */
export function setPreloader(fn: Preloader): void {
  preloader = fn
}

/** Fetches code and data of a page that is likely to be opened next. Failing is silent: opening the page tries again. */
export function preload(path: string): void {
  preloader?.(path)
}
