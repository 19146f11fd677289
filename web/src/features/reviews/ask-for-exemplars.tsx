import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '@/api/schema.gen'
import { Button, Card, lazyDialog } from '@/components/ui'
import { exemplarsQuery } from '@/entities/review/exemplars-query'

const exemplarDialog = lazyDialog(() => import('./exemplar-dialog'), { title: () => t`Exemplar` })

interface AskForExemplarsProps {
  assignmentId: string
  total: number
  rubric: components['schemas']['Rubric'] | undefined
}

/** Asks the creator of a new assignment for two pieces of work of known mark. docs/trust.md has the figures. */
export function AskForExemplars({ assignmentId, total, rubric }: AskForExemplarsProps) {
  const { data } = useQuery(exemplarsQuery(assignmentId))
  const [skipped, setSkipped] = useState(false)
  const [adding, setAdding] = useState(false)
  if (!data || skipped) return null
  return (
    <Card className="mt-4 grid justify-items-start gap-4 p-5">
      <h2 className="text-lg">{t`Two pieces of work with known marks`}</h2>
      {data.length >= 2 ? (
        <p className="max-w-prose">{t`Both are in. Each reviewer gets them first, without knowing.`}</p>
      ) : (
        <>
          <p className="max-w-prose">
            {data.length === 0
              ? t`Add a good one and a poor one, each with the mark that it deserves.`
              : t`Add a poor one, with the mark that it deserves.`}{' '}
            {t`Each reviewer gets them first, without knowing, and the model learns how they mark.`}
          </p>
          <div className="flex flex-wrap items-center gap-x-3">
            <Button variant="quiet" {...exemplarDialog.opener} onClick={() => setAdding(true)}>
              {data.length === 0 ? t`Add a good one` : t`Add a poor one`}
            </Button>
            <Button variant="plain" className="text-start" onClick={() => setSkipped(true)}>
              <span>
                {t`Skip`}
                <span className="block text-sm font-normal text-soft">
                  <Trans>
                    Without them, where a fifth of the reviewers give everyone full marks, marks are off by
                    2.4 of 20 instead of 1.9.
                  </Trans>
                </span>
              </span>
            </Button>
          </div>
        </>
      )}
      {adding && (
        <exemplarDialog.Dialog
          assignmentId={assignmentId}
          total={total}
          rubric={rubric}
          exemplar={undefined}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
}
