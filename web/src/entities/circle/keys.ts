export const circleKeys = {
  /** Lists of circles. */
  lists: ['circles'],
  listed: ['circles', 'listed'],
  deleted: ['circles', 'deleted'],
  /** The user's own invitations. */
  invited: ['circles', 'invited'],
  /** A circle, with its members and ways to join. */
  one: (id: string) => ['circle', id],
}
