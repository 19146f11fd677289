interface Rubric {
  criteria: readonly { levels: readonly { marks: number }[] }[]
}

/** What a rubric gives at most: the highest levels of all criteria together. */
export function rubricTotal({ criteria }: Rubric): number {
  return criteria.reduce((total, { levels }) => total + Math.max(0, ...levels.map(({ marks }) => marks)), 0)
}

/** Titles and labels may repeat; the places of a rubric's criteria and levels never change, so they are its keys. */
export const placed = <T extends object>(all: readonly T[]) =>
  all.map((one, at) => ({ ...one, at, key: `${at}` }))
