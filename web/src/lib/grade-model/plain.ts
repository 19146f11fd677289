const mean = (sorted: readonly number[]) => sorted.reduce((sum, mark) => sum + mark, 0) / sorted.length

const at = (sorted: readonly number[], index: number) => sorted[Math.floor(index)] ?? NaN
const median = (sorted: readonly number[]) =>
  (at(sorted, (sorted.length - 1) / 2) + at(sorted, sorted.length / 2)) / 2

const middles = { mean, median }
export type PlainModel = keyof typeof middles

/** Whether a model is the mean or the median, whose marks have no interval. */
export const isPlain = (model: string): model is PlainModel => model in middles

/** The mark that is the middle of the reviews. */
export function settlePlainly(model: PlainModel, marks: readonly number[]) {
  const estimate = middles[model](marks.toSorted((a, b) => a - b))
  return { estimate, mark: Math.floor(estimate + 0.5) }
}
