import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { AppLink, RenderedText } from '@/components/ui'
import { cx } from '@/lib/cx'
import { isWebAddress } from '@/lib/text'
import type { Report } from '@/entities/report/queries'

const kinds = (): Record<Report['kind'], string> => ({
  comment: t`A comment`,
  assignment: t`An assignment`,
  review: t`A review`,
  submission: t`A submission`,
})

const kindsBy = (author: ReactNode): Record<Report['kind'], ReactNode> => ({
  comment: <Trans>A comment by {author}</Trans>,
  assignment: <Trans>An assignment by {author}</Trans>,
  review: <Trans>A review by {author}</Trans>,
  submission: <Trans>A submission by {author}</Trans>,
})

/** Sets the reported text apart. */
const quoteClass = 'mt-3 border-s-4 border-line ps-4'

/** The present state of what a report is about. The authors of reviews and submissions stay anonymous. */
export function Reported({ report }: { report: Report }) {
  const { kind, subjectId, assignmentId, assignmentTitle, authorName, count } = report
  return (
    <>
      <p className="mt-1 text-sm text-soft wrap-anywhere">
        {authorName ? kindsBy(<bdi>{authorName}</bdi>)[kind] : kinds()[kind]}
        {assignmentTitle && !assignmentId && (
          <>
            {' · '}
            <bdi>{assignmentTitle}</bdi>
          </>
        )}
        {assignmentId && (
          <>
            {' · '}
            <AppLink
              className="link"
              to={`/assignment/${assignmentId}${kind === 'comment' ? `#comment-${subjectId}` : ''}`}
            >
              <bdi>{assignmentTitle}</bdi>
            </AppLink>
          </>
        )}
        {count > 1 && ` · ${plural(count, { one: '# report', other: '# reports' })}`}
      </p>
      <Said report={report} />
    </>
  )
}

function Said({
  report: { kind, gone, html, text, levels, docsLink, note, question, answers },
}: {
  report: Report
}) {
  const plainClass = 'whitespace-pre-wrap wrap-anywhere'
  if (docsLink) {
    return (
      <div className={cx(quoteClass, 'grid gap-2')}>
        <p className="wrap-anywhere">
          {isWebAddress(docsLink) ? (
            <a href={docsLink} target="_blank" rel="noopener noreferrer" className="link">
              {docsLink}
            </a>
          ) : (
            docsLink
          )}
        </p>
        {note && (
          <p dir="auto" className={plainClass}>
            {note}
          </p>
        )}
        {answers?.map((answer) => (
          <Aside key={answer.text} name={t`Answer to a reviewer`} said={answer} />
        ))}
      </div>
    )
  }
  return (
    <div className={cx(quoteClass, 'grid gap-2')}>
      {html ? (
        <RenderedText html={html} />
      ) : (
        <p dir="auto" className={plainClass}>
          {text ?? (kind === 'review' && !gone ? t`No feedback.` : t`It was deleted.`)}
        </p>
      )}
      {levels && (
        <dl className="grid gap-1 text-sm">
          {levels.map(({ criterion, level }) => (
            <div key={`${criterion} ${level}`} className="flex flex-wrap gap-x-3">
              <dt className="wrap-anywhere text-soft">
                <bdi>{criterion}</bdi>
              </dt>
              <dd className="wrap-anywhere">
                <bdi>{level}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {question && <Aside name={t`Question to the submitter`} said={question} />}
    </div>
  )
}

/** A question or an answer from before the mark. */
function Aside({ name, said: { text, html } }: { name: string; said: { text: string; html?: string } }) {
  return (
    <div>
      <p className="text-sm text-soft">{name}</p>
      {html ? (
        <RenderedText html={html} />
      ) : (
        <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
          {text}
        </p>
      )}
    </div>
  )
}
