import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { DialogForm, toast } from '@/components/ui'
import { RubricFields } from '@/entities/rubric/rubric-fields'
import { placed } from '@/entities/rubric/rubric'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { assessOwn, type OwnDetail } from '@/entities/submission/craft-queries'
import { OwnDetailDialog } from './own-detail'
import type { Rubric } from '@/entities/submission/queries'

interface AssessDialogProps {
  submissionId: string
  onClose: () => void
}

interface Levels {
  /** The level of each criterion, counted from 0, as radio buttons have it. */
  levels: (string | null | undefined)[]
}

const title = () => t`Judge Your Own Work`

/** The submitter judges their own work by the rubric, before they see what reviewers say. */
export default function AssessDialog({ submissionId, onClose }: AssessDialogProps) {
  return (
    <OwnDetailDialog title={title()} submissionId={submissionId} onClose={onClose}>
      {(detail) => <AssessForm detail={detail} rubric={detail.rubric ?? noRubric} onClose={onClose} />}
    </OwnDetailDialog>
  )
}

const noRubric: Rubric = { criteria: [] }

const schemaOf = (rubric: Rubric): z.ZodMiniType<Levels, Levels> =>
  z.object({ levels: z.array(z.nullish(z.string())) }).check((form) => {
    const { levels } = form.value
    for (const { index: at } of placed(rubric.criteria)) {
      if (levels[at]) continue
      form.issues.push({ code: 'custom', message: t`Choose a level.`, input: levels, path: ['levels', at] })
    }
  })

interface AssessFormProps {
  detail: OwnDetail
  rubric: Rubric
  onClose: () => void
}

function AssessForm({ detail, rubric, onClose }: AssessFormProps) {
  const { _id: id, selfAssessment } = detail
  const draft = `assess ${id}`
  const saved: Levels = { levels: selfAssessment?.levels.map(String) ?? [] }
  const form = useSchemaForm({ schema: schemaOf(rubric), values: saved, draft, over: JSON.stringify(saved) })
  const { register, control, formState } = form
  const levels = useWatch({ control, name: 'levels' })
  const { mutateAsync } = useMutation(assessOwn)
  return (
    <DialogForm
      title={title()}
      form={form}
      draft={draft}
      fields={[]}
      send={(values) => mutateAsync({ id, levels: values.levels.map(Number) })}
      onClose={onClose}
      onSent={() => toast(t`Your judgment is saved`)}
      action={{ label: t`Save`, busy: t`Saving...` }}
    >
      <p className="text-soft">
        <Trans>
          Use the same criteria as your reviewers. They do not see it, and it does not count: once your mark
          is settled, you can compare.
        </Trans>
      </p>
      <RubricFields
        seed={id}
        rubric={rubric}
        chosen={levels}
        levelAt={(at) => register(`levels.${at}`)}
        errorAt={(at) => formState.errors.levels?.[at]?.message}
      />
    </DialogForm>
  )
}
