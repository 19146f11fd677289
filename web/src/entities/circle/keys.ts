export const circleKeys = {
  /** Lists of circles. */
  lists: ['circles'],
  listed: ['circles', 'listed'],
  deleted: ['circles', 'deleted'],
  /** A circle, with its members and ways to join. */
  one: (id: string) => ['circle', id],
}
