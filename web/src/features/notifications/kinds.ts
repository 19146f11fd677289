import type { Kind } from './queries'

/** The name of each kind in the settings, in their order. */
export const kindNames: Record<Kind, string> = {
  graded: 'My work is graded',
  settlement: 'A mark of mine changes',
  taken: 'Somebody takes my assignment',
  comment: 'Somebody comments on my assignment',
  reply: 'Somebody replies to me',
  mention: 'Somebody mentions me',
  due: 'A due date I want to be reminded of',
  review: 'A review is asked of me',
  appeal: 'An appeal waits for me to decide',
  unreviewed: 'Nobody reviews work on my assignment',
  report: 'Reports, for moderators',
}

export const kinds = Object.keys(kindNames) as Kind[]
