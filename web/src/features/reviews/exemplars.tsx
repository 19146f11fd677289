import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { components } from '@/api/schema.gen'
import {
  Button,
  Clamped,
  ErrorState,
  ExternalIcon,
  Loading,
  buttonClass,
  lazyDialog,
  failed,
  showConfirm,
} from '@/components/ui'
import { explain } from '@/lib/problem'
import {
  exemplarsQuery,
  mostExemplars,
  removeExemplar,
  type Exemplar,
} from '@/entities/review/exemplars-query'

const exemplarDialog = lazyDialog(() => import('./exemplar-dialog'), { title: () => t`Exemplar` })

interface ExemplarsProps {
  assignment: { _id: string; marks: number; rubric?: components['schemas']['Rubric'] }
  /** The viewer may change them. */
  decides: boolean
  /** They are no part of the results on the page. */
  alone?: boolean
}

/** Sample work of known mark, which shows how reviewers mark; for those alone who read the results of an assignment. */
export function Exemplars({
  assignment: { _id: assignmentId, marks: total, rubric },
  decides,
  alone = false,
}: ExemplarsProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { data, error, refetch } = useQuery(exemplarsQuery(assignmentId))
  const { mutateAsync } = useMutation(removeExemplar)
  const [editing, setEditing] = useState<{ exemplar?: Exemplar } | null>(null)

  async function remove(exemplar: Exemplar) {
    const sure = await showConfirm({
      title: t`Remove it?`,
      text: t`The model no longer learns from its reviews.`,
      confirm: t`Remove`,
      danger: true,
    })
    if (!sure) return
    try {
      await mutateAsync({ assignmentId, submissionId: exemplar._id })
      heading.current?.focus()
    } catch (failure) {
      void failed(failure)
    }
  }

  const Heading = alone ? 'h2' : 'h3'
  if (!decides && data?.length === 0) return alone ? <p>{t`There are no exemplars.`}</p> : null
  return (
    <section aria-labelledby={id} className={alone ? undefined : 'mt-12'}>
      <Heading ref={heading} id={id} tabIndex={-1} className={alone ? 'text-2xl' : undefined}>
        {t`Exemplars`}
      </Heading>
      {decides && (
        <p className="mt-2 max-w-prose text-soft">
          <Trans>
            Add sample work whose mark you know: one good and one poor piece work best. Each reviewer reviews
            it first, without knowing, and sees your mark and reason afterwards. The model learns from it how
            they mark.
          </Trans>
        </p>
      )}
      {!data && !error && <Loading label={t`Loading the exemplars`} />}
      {!data && error && <ErrorState message={explain(error)} onRetry={() => void refetch()} />}
      <ul className="mt-4 grid gap-4 md:grid-cols-3">
        {data?.map((exemplar) => (
          <li
            key={exemplar._id}
            className="flex min-w-0 flex-col gap-3 rounded-card border border-line bg-raised p-5"
          >
            <p id={`exemplar-${exemplar._id}`} className="tabular-nums">
              <KnownMark mark={exemplar.mark} total={exemplar.marks} />
            </p>
            <Clamped>{exemplar.reason}</Clamped>
            <div className="-mx-3 mt-auto flex flex-wrap gap-x-1">
              <a
                href={exemplar.docsLink}
                target="_blank"
                rel="noopener noreferrer"
                className={buttonClass({ variant: 'plain', size: 'sm' })}
              >
                {t`Document`}
                <ExternalIcon />
              </a>
              {decides && (
                <>
                  <Button
                    variant="plain"
                    size="sm"
                    aria-describedby={`exemplar-${exemplar._id}`}
                    onClick={() => setEditing({ exemplar })}
                  >
                    {t`Change`}
                  </Button>
                  <Button
                    variant="plain"
                    size="sm"
                    className="text-red"
                    aria-describedby={`exemplar-${exemplar._id}`}
                    onClick={() => remove(exemplar)}
                  >
                    {t`Remove`}
                  </Button>
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
      {decides && data && data.length < mostExemplars && (
        <Button
          variant="quiet"
          size="sm"
          className="mt-4"
          {...exemplarDialog.opener}
          onClick={() => setEditing({})}
        >
          {t`Add an exemplar`}
        </Button>
      )}
      {editing && (
        <exemplarDialog.Dialog
          assignmentId={assignmentId}
          total={total}
          rubric={rubric}
          exemplar={editing.exemplar}
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  )
}

function KnownMark({ mark, total }: { mark: number; total: number }) {
  return (
    <Trans>
      <b className="font-display text-xl">{mark}</b> <span className="text-soft">of {total}</span>
    </Trans>
  )
}
