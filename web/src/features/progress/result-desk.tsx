import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import {
  Badge,
  Button,
  CircledMark,
  Clamped,
  ErrorState,
  ExternalIcon,
  Loading,
  Person,
  RenderedText,
  buttonClass,
} from '@/components/ui'
import { Timeline } from '@/entities/review/timeline'
import { LinkChanged } from '@/entities/submission/link-changed'
import { explain, isProblem } from '@/lib/problem'
import { placed } from '@/entities/rubric/rubric'
import { isWebAddress } from '@/lib/text'
import { resultQuery, type Result, type ResultDetail } from '@/entities/result/queries'
import { ReviewsCount } from '@/entities/result/reviews-count'

interface ResultDeskProps {
  assignmentId: string
  submissionId: string
  /** Where it stands among those that are listed, as "3 of 10"; empty where it is not listed. */
  position: string
  actionsOf: (result: Result, describedBy: string) => ReactNode
  gradeOf: (result: ResultDetail) => ReactNode
  /** Opens the next submission, or the one before; absent where there is none. */
  onNext: (() => void) | undefined
  onBefore: (() => void) | undefined
  onClose: () => void
}

/** One submission, open: document, reviews by criterion, mark, history, and what the creator may do. */
export default function ResultDesk(props: ResultDeskProps) {
  const { assignmentId, submissionId, position, actionsOf, gradeOf, onNext, onBefore, onClose } = props
  const { data, error, refetch } = useQuery(resultQuery(assignmentId, submissionId))
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [submissionId])
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const { key, target, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey || document.querySelector('[role=dialog], [role=alertdialog]')) return
      if (target instanceof Element && target.closest('input, textarea, select, [contenteditable]')) return
      const step = key === 'j' ? onNext : key === 'k' ? onBefore : key === 'Escape' ? onClose : undefined
      if (!step) return
      event.preventDefault()
      step()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [onNext, onBefore, onClose])
  const gone = isProblem(error, 'not-found')
  const name = data ? (data.submitterName ?? t`Unknown`) : ''
  const who = <bdi>{name}</bdi>

  return (
    <section
      aria-labelledby="result-desk"
      className="mb-8 scroll-mt-24 rounded-card border-2 border-ink bg-raised p-5 sm:p-8"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <h3 ref={heading} id="result-desk" tabIndex={-1} className="scroll-mt-28 wrap-anywhere">
          {name ? <Trans>Submission of {who}</Trans> : t`Submission`}
        </h3>
        <div className="-mx-3 flex flex-wrap items-center">
          {position && <span className="px-3 text-sm text-soft">{position}</span>}
          <Button
            variant="plain"
            size="sm"
            aria-keyshortcuts="k"
            disabled={!onBefore}
            onClick={() => onBefore?.()}
          >
            {t`Previous`}
          </Button>
          <Button
            variant="plain"
            size="sm"
            aria-keyshortcuts="j"
            disabled={!onNext}
            onClick={() => onNext?.()}
          >
            {t`Next`}
          </Button>
          <Button variant="plain" size="sm" aria-keyshortcuts="Escape" onClick={onClose}>
            {t`Close`}
          </Button>
        </div>
      </div>
      <p role="status" className="sr-only">
        {data && [openedText(name, position), t`Press J for the next one, K for the one before.`].join(' ')}
      </p>
      {!data && !error && <Loading label={t`Loading the submission`} />}
      {gone && <p className="mt-4">{t`This submission is gone: its submitter has withdrawn it.`}</p>}
      {!gone && error && !data && <ErrorState message={explain(error)} onRetry={() => void refetch()} />}
      {data && !gone && <Opened result={data} actionsOf={actionsOf} gradeOf={gradeOf} />}
    </section>
  )
}

const openedText = (name: string, position: string) =>
  position ? t`Submission of ${name}, ${position}.` : t`Submission of ${name}.`

function Opened({
  result,
  actionsOf,
  gradeOf,
}: { result: ResultDetail } & Pick<ResultDeskProps, 'actionsOf' | 'gradeOf'>) {
  const {
    _id: id,
    submitterName,
    submittedBy,
    submitterPhoto,
    label,
    docsLink,
    note,
    givenMark,
    marks,
    late,
  } = result
  const { appealReason, timeline, received, rubric, reviewsNeeded, status } = result
  return (
    <div className="mt-5 grid gap-8">
      <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
        <Person name={submitterName} email={submittedBy} photoURL={submitterPhoto} />
        {label && (
          <span className="wrap-anywhere text-soft">
            <bdi>{label}</bdi>
          </span>
        )}
        {givenMark !== undefined && (
          <p className="flex items-center gap-2 font-display text-2xl font-bold tabular-nums">
            <CircledMark seed={id} drawn className="min-h-14 min-w-14">
              {givenMark}
            </CircledMark>
            <span className="text-base font-medium text-soft">{t`of ${{ total: marks }}`}</span>
          </p>
        )}
        {late && <Badge tone="warning">{t`Late`}</Badge>}
        <LinkChanged at={result.linkChangedAt} />
        {status === 'pending' && reviewsNeeded !== undefined && <ReviewsCount {...result} />}
      </div>
      <div className="grid gap-3">
        {docsLink && isWebAddress(docsLink) && (
          <a
            href={docsLink}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass({ variant: 'quiet', className: 'justify-self-start' })}
          >
            {t`View Document`}
            <ExternalIcon />
          </a>
        )}
        {note && <Clamped className="border-s-4 border-line ps-4">{note}</Clamped>}
      </div>
      {appealReason && (
        <p className="max-w-prose border-s-4 border-line ps-4">
          <b>{t`Why the submitter appealed:`}</b>{' '}
          <bdi className="whitespace-pre-wrap wrap-anywhere">{appealReason}</bdi>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        {result.may.grade && gradeOf(result)}
        {actionsOf(result, 'result-desk')}
      </div>
      {received.length > 0 && rubric && <Matrix received={received} rubric={rubric} />}
      {received.length > 0 && (
        <section aria-label={t`Reviews`}>
          <h4 className="mb-3 text-base">{t`Reviews`}</h4>
          <ul className="grid gap-4 lg:grid-cols-2">
            {received.map((review) => (
              <li key={review._id} className="min-w-0 rounded-card border border-line p-4">
                <p className="mb-2 flex justify-between gap-3 font-semibold">
                  <span>{t`Review ${{ label: review.label }}`}</span>
                  <span className="tabular-nums">
                    {review.mark} <span className="font-medium text-soft">{t`of ${{ total: marks }}`}</span>
                  </span>
                </p>
                <Clamped className={review.feedback ? undefined : 'text-soft'}>
                  {review.html ? <RenderedText html={review.html} /> : review.feedback || t`No feedback.`}
                </Clamped>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-label={t`History`}>
        <h4 className="mb-3 text-base">{t`History`}</h4>
        <EarlierAttempts attempts={result.earlier ?? []} />
        <Timeline steps={timeline} total={marks} />
      </section>
    </div>
  )
}

/** The submitter's attempts that ended without a mark. */
function EarlierAttempts({ attempts }: { attempts: NonNullable<ResultDetail['earlier']> }) {
  if (attempts.length === 0) return null
  return (
    <ul aria-label={t`Earlier attempts`} className="mb-4 grid gap-2">
      {attempts.map(({ status, day, ended, reason, reviews = 0 }) => (
        <li key={`${day} ${ended} ${status} ${reason}`}>
          {t`${{ day: slashed(day) }}: handed in.`}{' '}
          <Ending text={endText(status === 'sent-back', slashed(ended), reviews)} reason={reason} />
        </li>
      ))}
    </ul>
  )
}

/** How an attempt ended: '2026/11/28: sent back, after 2 reviews'. */
function endText(sentBack: boolean, day: string, reviews: number): string {
  if (reviews === 0) return sentBack ? t`${day}: sent back` : t`${day}: withdrawn`
  return sentBack
    ? plural(reviews, {
        one: `${day}: sent back, after # review`,
        other: `${day}: sent back, after # reviews`,
      })
    : plural(reviews, {
        one: `${day}: withdrawn, after # review`,
        other: `${day}: withdrawn, after # reviews`,
      })
}

function Ending({ text, reason }: { text: string; reason: string | undefined }) {
  if (!reason) return text
  const why = <bdi className="whitespace-pre-wrap wrap-anywhere">{reason}</bdi>
  return (
    <Trans>
      {text}: {why}
    </Trans>
  )
}

const slashed = (day: string) => day.replaceAll('-', '/')

interface MatrixProps {
  received: ResultDetail['received']
  rubric: NonNullable<ResultDetail['rubric']>
}

/** Each review's level for each criterion. */
function Matrix({ received, rubric }: MatrixProps) {
  const withLevels = received.filter(({ levels }) => levels)
  if (withLevels.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users scroll it with the arrow keys
    <div role="region" aria-label={t`Rubric matrix`} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-sm">
        <caption className="mb-3 text-start font-display text-base font-semibold">{t`Rubric`}</caption>
        <thead>
          <tr className="border-b-2 border-ink">
            <th scope="col" className="py-2 pe-4 text-start font-semibold">
              {t`Criterion`}
            </th>
            {withLevels.map(({ label }) => (
              <th key={label} scope="col" className="px-3 py-2 text-start font-semibold">
                {t`Review ${label}`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {placed(rubric.criteria).map(({ title, levels, index: at, key }) => (
            <tr key={key} className="border-b border-line align-top">
              <th
                scope="row"
                dir="auto"
                className="max-w-80 py-2 pe-4 text-start font-semibold wrap-break-word"
              >
                {title}
              </th>
              {withLevels.map(({ label, levels: chosen = [] }) => {
                const level = levels[chosen[at] ?? -1]
                return (
                  <td key={label} className="px-3 py-2">
                    <b className="tabular-nums">{level?.marks}</b>{' '}
                    <bdi className="wrap-break-word text-soft">{level?.label}</bdi>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className="py-2 pe-4 text-start font-semibold">
              {t`Mark`}
            </th>
            {withLevels.map(({ label, mark }) => (
              <td key={label} className="px-3 py-2 font-bold tabular-nums">
                {mark}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
