interface Rubric {
  criteria: readonly { levels: readonly { marks: number }[] }[]
}

/** The sum of the highest levels of all criteria. */
export function rubricTotal({ criteria }: Rubric): number {
  return criteria.reduce((total, { levels }) => total + Math.max(0, ...levels.map(({ marks }) => marks)), 0)
}

/** Titles and labels may repeat; the places of a rubric's criteria and levels never change, so they are its keys. */
export const placed = <T extends object>(all: readonly T[]) =>
  all.map((one, index) => ({ ...one, index, key: `${index}` }))

/** Returns the sum of the chosen levels, which a form has as text. */
export function sumOf(rubric: Rubric, chosen: readonly (string | null | undefined)[]): number {
  return rubric.criteria.reduce((marks, { levels }, at) => {
    const level = chosen[at] ? levels[Number(chosen[at])] : undefined
    return marks + (level?.marks ?? 0)
  }, 0)
}
