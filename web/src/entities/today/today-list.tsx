import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { ago } from '@/lib/ago'
import type { Today } from './today-query'
import { dayText, turnText } from '@/entities/review/your-turn'
import { AppLink } from '@/components/ui/app-link'
import { InvitationAnswers } from '@/entities/circle/invitation-answers'
import { invitationText } from '@/entities/circle/invited'
import { CircledMark } from '@/components/ui/circled-mark'
import { LinkButton } from '@/components/ui/link-button'
import { ReviewNext } from '@/entities/review/review-next'

/** One thing to do, or that has come back. */
export interface TodayRow {
  key: string
  title: string
  to: string
  /** The circle's name; nothing for public work. */
  circleName?: string | undefined
  text: string
  /** The next step, or the mark. */
  beside?: ReactNode
}

const titleIdOf = (key: string) => `today ${key}`.replaceAll(' ', '-')

/** What waits for the viewer, as rows; `onGo` follows a press on what does it. */
export function waitingRows(
  { turns, decisions, needs, short }: Pick<Today, 'turns' | 'decisions' | 'needs' | 'short'>,
  onGo?: () => void,
): TodayRow[] {
  return [
    ...turnRows(turns, onGo),
    ...creatorRows({ decisions }, onGo),
    ...needRows(needs, onGo),
    ...creatorRows({ short }),
  ]
}

/** The viewer's outstanding reviews. */
function turnRows(turns: Today['turns'], onGo?: () => void): TodayRow[] {
  return turns.map((turn) => {
    const key = `turn ${turn.assignmentId}`
    return {
      key,
      title: turn.assignmentTitle,
      circleName: turn.circleName,
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
export function creatorRows(
  { decisions = [], short = [] }: Partial<Pick<Today, 'decisions' | 'short'>>,
  onGo?: () => void,
): TodayRow[] {
  return [
    ...decisions.map(({ submissionId, assignmentId, assignmentTitle, circleName, reason }) => {
      const key = `decision ${submissionId}`
      const to = `/assignment/${assignmentId}#result-${submissionId}`
      return {
        key,
        title: assignmentTitle,
        circleName,
        to,
        text:
          reason === 'appeal'
            ? t`An appeal is waiting for your decision.`
            : t`It was not reviewed in time: you can set the mark.`,
        beside: <Go to={to} label={t`Decide`} of={key} onGo={onGo} />,
      }
    }),
    ...short.map(({ assignmentId, assignmentTitle, circleName, submitters, reviewsNeeded }) => ({
      key: `short ${assignmentId}`,
      title: assignmentTitle,
      circleName,
      to: `/assignment/${assignmentId}`,
      text: t`Too few reviewers so far: ${submitters} handed in, and each submission needs ${reviewsNeeded} reviews.`,
    })),
  ]
}

type Need = NonNullable<Today['needs']>[number]

/** What waits for the viewer besides reviews, and marks to decide. */
export function needRows(needs: Need[] = [], onGo?: () => void): TodayRow[] {
  return needs.map((need) => {
    const { kind, url, circleId = '', circleName, assignmentTitle } = need
    const key = ['need', kind, circleId, need.assignmentId, need.submissionId].filter(Boolean).join(' ')
    return {
      key,
      title: assignmentTitle ?? circleName ?? t`Moderation`,
      circleName: assignmentTitle && circleName,
      to: url,
      text: needText(need),
      beside: <Go to={url} label={actions()[kind]} of={key} onGo={onGo} />,
    }
  })
}

const actions = (): Record<Need['kind'], string> => ({
  'hand-in': t`Hand in`,
  appeal: t`Decide`,
  finalize: t`Finalize`,
  answer: t`Answer`,
  reports: t`Look`,
  requests: t`Decide`,
})

/** Why something waits for the viewer, and until when or since when. */
export function needText({ kind, count = 1, by = '', since = '' }: Need, now = Date.now()): string {
  const day = by && dayText(by)
  const then = since && ago(since)
  switch (kind) {
    case 'hand-in':
      return Date.parse(by) > now
        ? t`Hand in your work by ${day}.`
        : t`It was due ${day}. You can still hand in your work.`
    case 'appeal':
      return t`Under appeal: new reviewers are asked until ${day}, and you can decide at once.`
    case 'finalize':
      return plural(count, {
        one: `# submission is ready for you to finalize. Its mark is calculated by itself on ${day}.`,
        other: `# submissions are ready for you to finalize. The first mark is calculated by itself on ${day}.`,
      })
    case 'answer':
      return plural(count, {
        one: `A reviewer has a question about your work. Answer it by ${day}.`,
        other: `Reviewers have # questions about your work. Answer them by ${day}.`,
      })
    case 'reports':
      return plural(count, {
        one: `# report waits for your decision. It came ${then}.`,
        other: `# reports wait for your decision. The first came ${then}.`,
      })
    case 'requests':
      return plural(count, {
        one: `# person asks to join. They asked ${then}.`,
        other: `# people ask to join. The first asked ${then}.`,
      })
  }
}

interface GoProps {
  to: string
  label: string
  /** The key of the row. */
  of: string
  onGo?: (() => void) | undefined
}

/** Leads to the page on which the viewer does it. */
function Go({ to, label, of, onGo }: GoProps) {
  return (
    <LinkButton
      to={to}
      variant="quiet"
      size="sm"
      className="shrink-0"
      aria-describedby={titleIdOf(of)}
      {...(onGo && { onClick: onGo })}
    >
      {label}
    </LinkButton>
  )
}

/** Assignments that are due, and submissions that have come back. */
export function otherRows({ due, back, needs = [] }: Pick<Today, 'due' | 'back' | 'needs'>): TodayRow[] {
  const asked = (id: string) =>
    needs.some(({ kind, assignmentId }) => kind === 'hand-in' && assignmentId === id)
  return [
    ...due
      .filter(({ state, assignmentId }) => state === 'open' && !asked(assignmentId))
      .map(({ assignmentId, title, circleName, dueDate }) => ({
        key: `due ${assignmentId}`,
        title,
        circleName,
        to: `/assignment/${assignmentId}`,
        text: t`Due ${{ day: dayText(dueDate) }}.`,
      })),
    ...back.map(({ submissionId, assignmentTitle, circleName, givenMark, marks, markedAt }) => ({
      key: `back ${submissionId}`,
      title: assignmentTitle || t`Untitled`,
      circleName,
      to: '/attemded-assignments',
      text: t`Graded ${{ when: ago(markedAt) }}: ${givenMark} of ${marks}.`,
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
      {rows.map(({ key, title, to, circleName, text, beside }) => (
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
              {circleName && (
                <>
                  <bdi>{circleName}</bdi> ·{' '}
                </>
              )}
              {text}
            </p>
          </div>
          {beside}
        </li>
      ))}
    </ul>
  )
}
