import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import {
  AppLink,
  Button,
  DueDate,
  Email,
  LevelBadge,
  LinkButton,
  RenderedText,
  Thumbnail,
} from '@/components/ui'
import { cx } from '@/lib/cx'
import { isOwn, mayReadResults } from '@/entities/assignment/own'
import { useUser } from '@/lib/session'
import type { Assignment } from '@/entities/assignment/queries'
import { Copy } from './copy'
import { RubricList } from './rubric-list'
import { useDelete } from './use-delete'

interface AssignmentDetailsProps {
  assignment: Assignment
  /** The reader's actions. */
  action?: ReactNode
  /** A moderator has hidden it from all users but its creator. */
  hidden?: boolean
  /** It is shown as a student sees it, to those who decide about it. */
  asStudent?: boolean
}

/** What is asked, and in which terms; its title is in the page's head. */
export function AssignmentDetails({
  assignment,
  action,
  hidden = false,
  asStudent = false,
}: AssignmentDetailsProps) {
  const user = useUser()
  const navigate = useNavigate()
  const remove = useDelete()
  const {
    _id: id,
    title,
    description,
    html,
    thumbnail,
    marks,
    level,
    dueDate,
    extended,
    lateLinks,
    creatorName,
    creatorEmail,
    reviewsNeeded,
    markBy,
    reviewsOwed,
    reviewDueDate,
    rubric,
    may,
    circleId,
    circleName,
  } = assignment

  const manages = !hidden && !asStudent

  /** The list shows without it at once; this page would only say that it is gone. */
  const removeAndLeave = () => remove(assignment, () => void navigate('/assignments'))

  return (
    <article className="page pt-0!">
      {/* On a phone, what can be done comes before the long text. */}
      <div className="mt-6 grid items-start gap-x-8 gap-y-6 md:grid-cols-[minmax(0,1fr)_17rem] lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-x-12">
        <aside
          aria-label={t`About this assignment`}
          className="rounded-card border border-line bg-raised p-5 md:sticky md:top-6 md:col-start-2 md:row-start-1 lg:p-6"
        >
          <dl className="grid gap-3 max-md:*:last:border-b-0 max-md:*:last:pb-0 md:gap-4">
            <Fact term={t`Marks`}>
              <span className="font-display text-2xl leading-none font-bold tabular-nums">{marks}</span>
            </Fact>
            <Fact term={t`Level`}>
              <LevelBadge level={level} />
            </Fact>
            <Fact term={t`Due date`}>
              <DueDate instant={dueDate} />
              {extended && (
                <>
                  <br />
                  <span className="text-sm">{t`Extra time: this date is yours alone.`}</span>
                </>
              )}
            </Fact>
            {lateLinks && <Fact term={t`Changed link`}>{t`Late after the due date`}</Fact>}
            {(reviewsNeeded ?? 0) > 0 && (
              <Fact term={t`Reviews`}>
                <ReviewsAsked
                  needed={reviewsNeeded ?? 0}
                  owed={reviewsOwed ?? 0}
                  manages={!asStudent && mayReadResults(assignment, user)}
                />
              </Fact>
            )}
            {reviewDueDate && (
              <Fact term={t`Reviews due`}>
                <DueDate instant={reviewDueDate} />
              </Fact>
            )}
            {markBy && (
              <Fact term={t`Mark by`}>
                {markBy === 'model' && t`Model`}
                {markBy === 'average' && t`Average of the reviews`}
                {markBy === 'median' && t`Median of the reviews`}
              </Fact>
            )}
            {circleId && (
              <Fact term={t`Circle`} long>
                <AppLink to={`/circle/${circleId}`} className="link font-semibold wrap-anywhere">
                  <bdi data-sheet-title>{circleName}</bdi>
                </AppLink>
              </Fact>
            )}
            <Fact term={t`Created by`} long>
              <bdi className="font-semibold">{creatorName}</bdi>
              {creatorEmail !== null && (
                <>
                  <br />
                  <span className="text-sm text-soft">
                    <Email address={creatorEmail} />
                  </span>
                </>
              )}
            </Fact>
          </dl>
          <div className="empty:hidden md:mt-6">{action}</div>
          {manages && (may ? may.change : isOwn(assignment, user)) && (
            <div className="mt-4 flex flex-wrap gap-2">
              <LinkButton to={`/assignment/update/${id}`} variant="quiet" size="sm">
                {t`Update`}
              </LinkButton>
              <Button variant="plain" size="sm" className="text-red" onClick={() => removeAndLeave()}>
                {t`Delete`}
              </Button>
            </div>
          )}
          {manages && mayReadResults(assignment, user) && (
            <div className="mt-2 flex flex-wrap gap-2">
              <Copy assignment={assignment} />
              <LinkButton to={`/assignment/${id}?as=student`} variant="plain" size="sm">
                {t`View as a student`}
              </LinkButton>
            </div>
          )}
        </aside>
        <div className="grid min-w-0 gap-8 md:col-start-1 md:row-start-1">
          {html ? (
            <RenderedText html={html} className="max-w-[min(65ch,100%)] [justify-self:self-start]" />
          ) : (
            <p
              dir="auto"
              className="max-w-prose min-w-0 [justify-self:self-start] whitespace-pre-wrap wrap-anywhere"
            >
              {description}
            </p>
          )}
          {rubric && (
            <section aria-labelledby="rubric-heading">
              <h2 id="rubric-heading" className="mb-4 text-lg">
                {t`Rubric`}
              </h2>
              <RubricList rubric={rubric} />
            </section>
          )}
          <Thumbnail
            src={thumbnail}
            title={title}
            eager
            className="max-w-71 rounded-card border border-line"
          />
        </div>
      </div>
    </article>
  )
}

interface FactProps {
  term: string
  /** Under its term where the column is narrow. */
  long?: boolean
  children: ReactNode
}

function Fact({ term, long = false, children }: FactProps) {
  return (
    <div
      className={cx(
        'grid grid-cols-[5.5rem_minmax(0,1fr)] items-baseline gap-3 border-b border-line pb-3 md:pb-4',
        long && 'max-[24rem]:grid-cols-1 max-[24rem]:gap-1 md:max-lg:grid-cols-1 md:max-lg:gap-1',
      )}
    >
      <dt className="text-sm text-soft">{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface ReviewsAskedProps {
  needed: number
  /** How many each submitter gives; 0 if the assignment does not say. */
  owed: number
  /** The viewer hands nothing in. */
  manages: boolean
}

function ReviewsAsked({ needed, owed, manages }: ReviewsAskedProps) {
  return (
    <>
      {manages
        ? plural(needed, {
            one: '# other reviews each submission',
            other: '# others review each submission',
          })
        : plural(needed, { one: '# other reviews yours', other: '# others review yours' })}
      {owed > 0 && (
        <>
          <br />
          {manages ? t`Each submitter reviews ${owed}` : t`You review ${owed}`}
        </>
      )}
    </>
  )
}
