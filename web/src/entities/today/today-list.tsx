import type { ReactNode } from 'react'
import { ago } from '@/lib/ago'
import type { Today } from './today-query'
import { dayText, turnText } from '@/entities/review/your-turn'
import { AppLink } from '@/components/ui/app-link'
import { InvitationAnswers } from '@/entities/circle/invitation-answers'
import { invitationText } from '@/entities/circle/invited'
import { CircledMark } from '@/components/ui/circled-mark'
import { ReviewNext } from '@/entities/review/review-next'

/** One thing to do, or that has come back. */
export interface TodayRow {
  key: string
  title: string
  to: string
  text: string
  /** The next step, or the mark. */
  beside?: ReactNode
}

const titleIdOf = (key: string) => `today ${key}`.replaceAll(' ', '-')

/** The viewer's outstanding reviews, as rows; `onGo` follows a press on Review next. */
export function turnRows(turns: Today['turns'], onGo?: () => void): TodayRow[] {
  return turns.map((turn) => {
    const key = `turn ${turn.assignmentId}`
    return {
      key,
      title: turn.assignmentTitle,
      to: `/assignment/${turn.assignmentId}`,
      text: turnText(turn),
      beside: turn.available > 0 && (
        <ReviewNext
          assignmentId={turn.assignmentId}
          held={turn.heldUntil !== undefined}
          describedBy={titleIdOf(key)}
          className="shrink-0"
          {...(onGo && { onClick: onGo })}
        />
      ),
    }
  })
}

/** The invitations to circles that wait for the viewer's answer. */
export function invitationRows({ invitations = [] }: Pick<Today, 'invitations'>): TodayRow[] {
  return invitations.map((invitation) => {
    const key = `invitation ${invitation._id}`
    return {
      key,
      title: invitation.circleName,
      to: '/circles',
      text: invitationText(invitation),
      beside: <InvitationAnswers invitation={invitation} describedBy={titleIdOf(key)} short />,
    }
  })
}

/** Submissions that wait for the creator of assignments. */
export function creatorRows({
  decisions = [],
  short = [],
}: Partial<Pick<Today, 'decisions' | 'short'>>): TodayRow[] {
  return [
    ...decisions.map(({ submissionId, assignmentId, assignmentTitle, reason }) => ({
      key: `decision ${submissionId}`,
      title: assignmentTitle,
      to: `/assignment/${assignmentId}#result-${submissionId}`,
      text:
        reason === 'appeal'
          ? 'An appeal is waiting for your decision.'
          : 'It was not reviewed in time: you can set the mark.',
    })),
    ...short.map(({ assignmentId, assignmentTitle, submitters, reviewsNeeded }) => ({
      key: `short ${assignmentId}`,
      title: assignmentTitle,
      to: `/assignment/${assignmentId}`,
      text: `Too few reviewers so far: ${submitters} handed in, and each submission needs ${reviewsNeeded} reviews.`,
    })),
  ]
}

/** Assignments that are due, and submissions that have come back. */
export function otherRows({ due, back }: Pick<Today, 'due' | 'back'>): TodayRow[] {
  return [
    ...due
      .filter(({ state }) => state === 'open')
      .map(({ assignmentId, title, dueDate }) => ({
        key: `due ${assignmentId}`,
        title,
        to: `/assignment/${assignmentId}`,
        text: `Due ${dayText(dueDate)}.`,
      })),
    ...back.map(({ submissionId, assignmentTitle, givenMark, marks, markedAt }) => ({
      key: `back ${submissionId}`,
      title: assignmentTitle || 'Untitled',
      to: '/attemded-assignments',
      text: `Graded ${ago(markedAt)}: ${givenMark} of ${marks}.`,
      beside: (
        <CircledMark seed={submissionId} drawn className="min-h-11 min-w-11 shrink-0 font-display font-bold">
          {givenMark}
        </CircledMark>
      ),
    })),
  ]
}

/** Rows of one height: a title and two lines, four on a phone, so that a list of them keeps its room. */
export function TodayList({ rows, onOpen }: { rows: TodayRow[]; onOpen?: () => void }) {
  return (
    <ul className="divide-y divide-line">
      {rows.map(({ key, title, to, text, beside }) => (
        <li key={key} className="flex h-30 min-w-0 items-center gap-4 sm:h-22">
          <div className="min-w-0 grow">
            <AppLink
              id={titleIdOf(key)}
              to={to}
              className="line-clamp-2 leading-6 font-semibold wrap-anywhere hover:underline sm:line-clamp-1"
              {...(onOpen && { onClick: onOpen })}
            >
              <bdi>{title}</bdi>
            </AppLink>
            <p className="line-clamp-3 text-sm text-soft sm:line-clamp-2" title={text}>
              {text}
            </p>
          </div>
          {beside}
        </li>
      ))}
    </ul>
  )
}
