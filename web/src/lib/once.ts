/** Makes a thing when it is first wanted. The formats of `Intl` cost milliseconds each, which no page's start should pay. */
export function once<T>(make: () => T): () => T {
  let made: { thing: T } | null = null
  return () => (made ??= { thing: make() }).thing
}
