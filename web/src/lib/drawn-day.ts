let day = ''

/** Takes the day the first HTML was drawn for, yyyy-MM-dd in UTC. */
export function drawnOn(some: string): void {
  day = some
}

/** That day; empty where there is none, as in what is drawn at build. */
export function drawnDay(): string {
  return day
}
