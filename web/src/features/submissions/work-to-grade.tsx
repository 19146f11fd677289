import { t } from '@lingui/core/macro'
import { useId, type ReactNode } from 'react'
import { Badge, Clamped, DueDate, Moment, Person, buttonClass } from '@/components/ui'
import { DocumentFrame } from '@/components/ui/document-frame'
import { isWebAddress } from '@/lib/text'
import { DocumentLink } from './document-link'
import type { PendingSubmission } from '@/entities/submission/queries'

/** The submitter, document, due date and task that a grader reads. */
export function WorkToGrade({ submission, task }: { submission: PendingSubmission; task: ReactNode }) {
  const { assignmentTitle, submittedBy, submitterName, submitterPhoto } = submission
  const { docsLink, note, dueDate, late, submittedAt } = submission
  const hostId = useId()
  return (
    <div className="grid min-w-0 content-start gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Person name={submitterName} email={submittedBy} photoURL={submitterPhoto} />
        <dl className="grid gap-1 text-sm *:flex *:flex-wrap *:items-center *:gap-x-2 [&_dt]:text-soft">
          {submittedAt && (
            <div>
              <dt>{t`Handed in`}</dt>
              <dd>
                <Moment instant={submittedAt} />
              </dd>
              {late && (
                <dd>
                  <Badge tone="warning">{t`Late`}</Badge>
                </dd>
              )}
            </div>
          )}
          {dueDate && (
            <div>
              <dt>{t`Due`}</dt>
              <dd>
                <DueDate instant={dueDate} />
              </dd>
            </div>
          )}
        </dl>
      </div>
      {docsLink && isWebAddress(docsLink) && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <DocumentLink
            href={docsLink}
            label={t`View Document`}
            className={buttonClass({ variant: 'quiet' })}
            describedBy={hostId}
          />
          <bdi id={hostId} className="text-sm wrap-anywhere text-soft">
            {new URL(docsLink).host}
          </bdi>
        </div>
      )}
      {docsLink && <DocumentFrame link={docsLink} />}
      <div className="border-s-4 border-line ps-4">
        <Clamped className={note?.trim() ? undefined : 'text-soft'}>
          {note?.trim() || t`No notes provided.`}
        </Clamped>
      </div>
      <section aria-label={t`The task`} className="border-t border-line pt-5">
        <h3 dir="auto" className="mb-2 wrap-anywhere">
          {assignmentTitle || t`Untitled`}
        </h3>
        {task}
      </section>
    </div>
  )
}
