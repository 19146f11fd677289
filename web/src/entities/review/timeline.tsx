import { t } from '@lingui/core/macro'
import type { components } from '@/api/schema.gen'
import { cx } from '@/lib/cx'
import { stripBidiControls } from '@/lib/text'
import { placed } from '@/entities/rubric/rubric'

type Step = components['schemas']['Step']

/** The sentences of a mark that the user of a name decided about. */
const decidedText = (name: string): Partial<Record<NonNullable<Step['reason']>, string>> => ({
  early: t`${name} finalized it`,
  'enough-reviews': t`${name} finalized it`,
  'set-mark': t`${name} set the mark`,
  known: t`${name} marked it`,
})

const settledText = (): Record<NonNullable<Step['reason']>, string> => ({
  'enough-reviews': t`All the requested reviews had been received`,
  time: t`Seven days had passed`,
  early: t`The creator finalized it`,
  appeal: t`After an appeal`,
  reopened: t`After another look`,
  'set-mark': t`The creator set the mark`,
  known: t`The creator or an organizer marked it`,
  grade: t`One grade`,
})

const slashed = (day: string) => day.replaceAll('-', '/')

/** The sentence of a step, without the reason that a person gave. */
function sentenceOf({ kind, time, reason, decider, until = '' }: Step): string {
  const day = slashed(until)
  switch (kind) {
    case 'handed-in':
      return t`Handed in`
    case 'grade':
      return t`Waiting for a grade`
    case 'reviews':
      return t`Reviewers can review it until ${day}; the mark is then calculated from the reviews received so far`
    case 'unattended':
      return t`It was not reviewed in time: the first review decides the mark, or the creator sets it`
    case 'settled':
      if (!reason) return t`Finalized`
      return (decider && decidedText(stripBidiControls(decider))[reason]) || settledText()[reason]
    case 'appeal':
      return t`The submitter appealed`
    case 'reopened':
      return t`The creator asked for another look`
    case 'new-reviewers':
      return t`Two new reviewers can review it until ${day}`
    case 'asked':
      return t`There were too few new reviewers: the creator was asked to decide`
    case 'decision':
      return time === 'now'
        ? t`The creator decides by ${day}`
        : t`If fewer than two new reviews are given by then, the creator decides by ${day}`
    case 'model':
      return t`Otherwise the mark is calculated from the reviews received so far`
  }
}

const times = () => ({ now: t`Now`, next: t`Next` })

interface TimelineProps {
  steps: readonly Step[]
  /** The full marks. */
  total: number
}

/** A submission's past, present and next steps. Submitter and creator read the same. */
export function Timeline({ steps, total }: TimelineProps) {
  return (
    <ol className="grid gap-3 border-s-2 border-line ps-5">
      {placed(steps).map((step) => {
        const { key, time, kind, day, mark, words } = step
        return (
          <li key={key} className="relative grid gap-x-3 sm:grid-cols-[6rem_minmax(0,1fr)]">
            <span
              aria-hidden="true"
              className={cx(
                'absolute -start-[1.7rem] top-2 size-3 rounded-full border-2 border-paper',
                time === 'past' ? 'bg-edge' : time === 'now' ? 'bg-green' : 'border-edge! bg-paper',
              )}
            />
            <span
              className={cx(
                'text-sm leading-7 tabular-nums',
                time === 'now' ? 'font-semibold text-green' : 'text-soft',
              )}
            >
              {time === 'past' ? day ? <time dateTime={day}>{slashed(day)}</time> : '--' : times()[time]}
            </span>
            <div className={cx('leading-7', time === 'next' && 'text-soft')}>
              {kind === 'settled' && mark !== undefined && (
                <>
                  <b className="font-display text-lg tabular-nums">{mark}</b>{' '}
                  <span className="text-sm text-soft">{t`of ${total}`}</span>{' '}
                </>
              )}
              <span className={time === 'now' ? 'font-semibold' : undefined}>
                {sentenceOf(step)}
                {words ? ': ' : '.'}
              </span>
              {words && <bdi className="whitespace-pre-wrap wrap-anywhere">{words}</bdi>}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
