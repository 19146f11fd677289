import type { ReactNode } from 'react'
import type { Kind, Notification } from './queries'

/** What happened, in one sentence; `title` is the assignment's, drawn as it is wanted. */
export function sentence({ kind, count, actorName }: Notification, title: ReactNode): ReactNode {
  const who = actorName ? <bdi className="font-semibold">{actorName}</bdi> : 'Somebody'
  switch (kind) {
    case 'graded':
      return <>Your work on {title} was graded</>
    case 'settlement':
      return <>Your mark for {title} was settled anew</>
    case 'taken':
      return count > 1 ? (
        <>
          {count} people handed in work for your assignment {title}
        </>
      ) : (
        <>
          {who} handed in work for your assignment {title}
        </>
      )
    case 'comment':
      return count > 1 ? (
        <>
          {count} new comments on your assignment {title}
        </>
      ) : (
        <>
          {who} commented on your assignment {title}
        </>
      )
    case 'reply':
      return count > 1 ? (
        <>
          {count} new replies in your thread on {title}
        </>
      ) : (
        <>
          {who} replied in your thread on {title}
        </>
      )
    case 'mention':
      return (
        <>
          {who} mentioned you in the discussion of {title}
        </>
      )
    case 'due':
      return <>{title} is due soon</>
    case 'review':
      return <>Work on {title} waits for your review</>
    case 'appeal':
      return <>A mark for {title} was appealed: please decide</>
    case 'unreviewed':
      return <>Nobody has reviewed a submission for {title} yet</>
    case 'report':
      return count > 1 ? (
        <>
          {count} new reports about {title}
        </>
      ) : (
        <>Something was reported about {title}</>
      )
  }
}

/** What people call each kind, in the order in which they set them. */
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
