import { Plural, Trans } from '@lingui/react/macro'
import type { ReactElement, ReactNode } from 'react'
import { calendarDayOf, formatDay } from '@/lib/dates'
import type { Kind, Notification } from '@/entities/notification/queries'

/** What the sentences name. A user's text is an element: Lingui reads tags in strings. */
interface Named {
  title: ReactElement
  count: number
  /** Null where the user is not shown. */
  who: ReactElement | null
  /** Null in a circle that the viewer has left. */
  circle: ReactElement | null
  /** Empty where the viewer does not see the assignment. */
  due: string
}

/** The sentence of each kind, as the server's emails have it (internal/notify/sentences.json). */
const sentences: Record<Kind, (named: Named) => ReactNode> = {
  graded: ({ title }) => <Trans>Your work on {title} was graded</Trans>,
  settlement: ({ title }) => <Trans>Your mark for {title} was decided again</Trans>,
  returned: ({ title }) => <Trans>Your work on {title} was sent back: hand it in again</Trans>,
  unopened: ({ title }) => <Trans>A reviewer could not open your work on {title}</Trans>,
  taken({ title, count, who }) {
    if (count > 1) {
      return (
        <Trans>
          <Plural value={count} one="{count} person" other="{count} people" /> handed in work for your
          assignment {title}
        </Trans>
      )
    }
    return who ? (
      <Trans>
        {who} handed in work for your assignment {title}
      </Trans>
    ) : (
      <Trans>Someone handed in work for your assignment {title}</Trans>
    )
  },
  comment({ title, count, who }) {
    if (count > 1) {
      return (
        <Trans>
          <Plural value={count} one="There is {count} new comment" other="There are {count} new comments" />{' '}
          on your assignment {title}
        </Trans>
      )
    }
    return who ? (
      <Trans>
        {who} wrote a comment on your assignment {title}
      </Trans>
    ) : (
      <Trans>Someone wrote a comment on your assignment {title}</Trans>
    )
  },
  reply({ title, count, who }) {
    if (count > 1) {
      return (
        <Trans>
          <Plural value={count} one="There is {count} new reply" other="There are {count} new replies" /> in
          your thread on {title}
        </Trans>
      )
    }
    return who ? (
      <Trans>
        {who} replied in your thread on {title}
      </Trans>
    ) : (
      <Trans>Someone replied in your thread on {title}</Trans>
    )
  },
  mention: ({ title, who }) =>
    who ? (
      <Trans>
        {who} mentioned you in the discussion of {title}
      </Trans>
    ) : (
      <Trans>Someone mentioned you in the discussion of {title}</Trans>
    ),
  joined: ({ circle }) =>
    circle ? <Trans>You are now in {circle}</Trans> : <Trans>You are now in a circle</Trans>,
  published({ title, who, circle, due }) {
    if (circle && due) {
      return who ? (
        <Trans>
          {who} set {title} for {circle}, due {due}
        </Trans>
      ) : (
        <Trans>
          Someone set {title} for {circle}, due {due}
        </Trans>
      )
    }
    if (circle) {
      return who ? (
        <Trans>
          {who} set {title} for {circle}, due soon
        </Trans>
      ) : (
        <Trans>
          Someone set {title} for {circle}, due soon
        </Trans>
      )
    }
    if (due) {
      return who ? (
        <Trans>
          {who} set {title} for a circle, due {due}
        </Trans>
      ) : (
        <Trans>
          Someone set {title} for a circle, due {due}
        </Trans>
      )
    }
    return who ? (
      <Trans>
        {who} set {title} for a circle, due soon
      </Trans>
    ) : (
      <Trans>Someone set {title} for a circle, due soon</Trans>
    )
  },
  moved({ title, circle, due }) {
    if (circle) {
      return due ? (
        <Trans>
          {title} for {circle} is now due {due}
        </Trans>
      ) : (
        <Trans>
          {title} for {circle} is now due soon
        </Trans>
      )
    }
    return due ? (
      <Trans>
        {title} for a circle is now due {due}
      </Trans>
    ) : (
      <Trans>{title} for a circle is now due soon</Trans>
    )
  },
  due: ({ title }) => <Trans>{title} is due soon</Trans>,
  owed: ({ title }) => <Trans>Your reviews of {title} are due soon</Trans>,
  review: ({ title }) => <Trans>Work on {title} is waiting for your review</Trans>,
  question: ({ title }) => <Trans>A reviewer of your work on {title} has a question</Trans>,
  answer: ({ title }) => <Trans>Your question about work on {title} was answered</Trans>,
  appeal: ({ title }) => <Trans>A mark for {title} is under appeal</Trans>,
  unreviewed: ({ title }) => <Trans>A submission for {title} has no review yet</Trans>,
  short: ({ title }) => (
    <Trans>Too few people have handed in work for {title} to give each other all the reviews</Trans>
  ),
  hidden: ({ title }) => <Trans>A moderator has hidden something of yours on {title}</Trans>,
  restored: ({ title }) => <Trans>A moderator has restored something of yours on {title}</Trans>,
  decided: ({ title }) => <Trans>A moderator has decided on your report about {title}</Trans>,
  invited: ({ title, who }) =>
    who ? (
      <Trans>
        {who} invites you to the circle {title}
      </Trans>
    ) : (
      <Trans>Someone invites you to the circle {title}</Trans>
    ),
  report: ({ title, count }) =>
    count > 1 ? (
      <Trans>
        <Plural value={count} one="There is {count} new report" other="There are {count} new reports" /> about{' '}
        {title}
      </Trans>
    ) : (
      <Trans>Something was reported about {title}</Trans>
    ),
}

/** Whether the sentence of a kind names the circle. */
export const namesCircle = (kind: Kind) => kind === 'joined' || kind === 'published' || kind === 'moved'

/** A notification as one sentence. `title` is the assignment's, as the caller draws it. */
export function sentence(
  {
    kind,
    count,
    actorName,
    circleName,
    dueDate,
  }: Pick<Notification, 'kind' | 'count' | 'actorName' | 'circleName' | 'dueDate'>,
  title: ReactElement,
): ReactNode {
  const due = calendarDayOf(dueDate ?? '')
  return sentences[kind]({
    title,
    count,
    who: actorName ? <bdi className="font-semibold">{actorName}</bdi> : null,
    circle: circleName ? <bdi className="font-semibold">{circleName}</bdi> : null,
    due: due ? formatDay(due) : '',
  })
}
