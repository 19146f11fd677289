let day = ''

/** Takes the day the first HTML was made on, yyyy-MM-dd in UTC. */
export function setPrerenderDay(some: string): void {
  day = some
}

/** That day; empty where there is none. */
export function prerenderDay(): string {
  return day
}
