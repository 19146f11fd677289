import { t } from '@lingui/core/macro'
import type { Kind } from '@/entities/notification/queries'

/** The name of each kind in the settings, in their order. */
export const kindNames: Record<Kind, () => string> = {
  graded: () => t`My work is graded`,
  settlement: () => t`My mark changes`,
  returned: () => t`My work is sent back`,
  unopened: () => t`A reviewer cannot open my work`,
  taken: () => t`A user hands in work for my assignment`,
  comment: () => t`A user comments on my assignment`,
  reply: () => t`A user replies to me`,
  mention: () => t`A user mentions me`,
  joined: () => t`I am added to a circle`,
  published: () => t`My circle has a new assignment`,
  moved: () => t`A due date in my circle changes`,
  due: () => t`An assignment I asked to be reminded of is due`,
  owed: () => t`Reviews I owe are due`,
  review: () => t`I am asked to review`,
  question: () => t`A reviewer of my work has a question`,
  answer: () => t`A submitter answers my question`,
  appeal: () => t`I have an appeal to decide`,
  unreviewed: () => t`Work for my assignment has no review`,
  short: () => t`My assignment has too few reviewers`,
  hidden: () => t`A moderator hides something of mine`,
  restored: () => t`A moderator restores it`,
  decided: () => t`A moderator decides on my report`,
  invited: () => t`I am invited to a circle`,
  report: () => t`Reports (for moderators)`,
}

export const kinds = Object.keys(kindNames) as Kind[]
