import type { Kind } from '@/entities/notification/queries'

/** The name of each kind in the settings, in their order. */
export const kindNames: Record<Kind, () => string> = {
  graded: () => 'My work is graded',
  settlement: () => 'My mark changes',
  returned: () => 'My work is sent back',
  unopened: () => 'A reviewer cannot open my work',
  taken: () => 'A user hands in work for my assignment',
  comment: () => 'A user comments on my assignment',
  reply: () => 'A user replies to me',
  mention: () => 'A user mentions me',
  joined: () => 'I am added to a circle',
  published: () => 'My circle has a new assignment',
  moved: () => 'A due date in my circle changes',
  due: () => 'An assignment I asked to be reminded of is due',
  owed: () => 'Reviews I owe are due',
  review: () => 'I am asked to review',
  question: () => 'A reviewer of my work has a question',
  answer: () => 'A submitter answers my question',
  appeal: () => 'I have an appeal to decide',
  unreviewed: () => 'Work for my assignment has no review',
  short: () => 'My assignment has too few reviewers',
  hidden: () => 'A moderator hides something of mine',
  restored: () => 'A moderator restores it',
  decided: () => 'A moderator decides on my report',
  invited: () => 'I am invited to a circle',
  report: () => 'Reports (for moderators)',
}

export const kinds = Object.keys(kindNames) as Kind[]
