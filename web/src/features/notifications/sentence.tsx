import { Fragment, createElement, type ReactNode } from 'react'
import sentences from '../../../../internal/notify/sentences.json'
import { calendarDayOf, formatDay } from '@/lib/dates'
import type { Kind, Notification } from '@/entities/notification/queries'

interface Sentence {
  one: string
  many?: string
}

/** The server's own sentences, which its emails have, too: one for each kind, with parameters in braces. */
const sentenceOf: Record<Kind, Sentence> = sentences

/** Whether the sentence of a kind names the circle. */
export const namesCircle = (kind: Kind) => sentenceOf[kind].one.includes('{circle}')

/** A notification as one sentence. `title` is the assignment's, as the caller draws it. */
export function sentence(
  {
    kind,
    count,
    actorName,
    circleName,
    dueDate,
  }: Pick<Notification, 'kind' | 'count' | 'actorName' | 'circleName' | 'dueDate'>,
  title: ReactNode,
): ReactNode {
  const { one, many } = sentenceOf[kind]
  const due = calendarDayOf(dueDate ?? '')
  const values: Record<string, ReactNode> = {
    title,
    who: actorName ? <bdi className="font-semibold">{actorName}</bdi> : 'Someone',
    circle: circleName ? <bdi className="font-semibold">{circleName}</bdi> : 'a circle',
    count,
    due: due ? formatDay(due) : 'soon',
  }
  // Every other part is the name of a parameter.
  const parts = (count > 1 && many ? many : one).split(/[{}]/)
  return createElement(Fragment, null, ...parts.map((part, at) => (at % 2 === 1 ? values[part] : part)))
}
