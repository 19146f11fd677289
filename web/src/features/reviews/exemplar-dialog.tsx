import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { AddressInput, DialogForm, ReasonInput, TextArea, toast } from '@/components/ui'
import { RubricFields } from '@/entities/rubric/rubric-fields'
import { placed, sumOf } from '@/entities/rubric/rubric'
import { documentLink, note, reason, wholeNumber } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import type { components } from '@/api/schema.gen'
import { MarkInput } from './decision-fields'
import { saveExemplar, type Exemplar } from '@/entities/review/exemplars-query'

type Rubric = components['schemas']['Rubric']

interface ExemplarForm {
  docsLink: string
  note: string
  mark: string
  /** Of a rubric: the level of each criterion, counted from 0. */
  levels: (string | null | undefined)[]
  reason: string
}

interface ExemplarDialogProps {
  assignmentId: string
  /** The mark it may have at most. */
  total: number
  rubric: Rubric | undefined
  /** The exemplar to change; undefined for a new one. */
  exemplar: Exemplar | undefined
  onClose: () => void
}

/** The link and the note of an existing exemplar do not change. A rubric's levels make the mark. */
const schemaOf = (
  most: number,
  isNew: boolean,
  rubric: Rubric | undefined,
): z.ZodMiniType<ExemplarForm, ExemplarForm> =>
  z
    .object({
      docsLink: isNew ? documentLink : z.string(),
      note: isNew ? note : z.string(),
      mark: rubric ? z.string() : wholeNumber(0, most),
      levels: z.array(z.nullish(z.string())),
      reason,
    })
    .check((form) => {
      const { levels } = form.value
      for (const { index: at } of placed(rubric?.criteria ?? [])) {
        if (levels[at]) continue
        form.issues.push({ code: 'custom', message: t`Choose a level.`, input: levels, path: ['levels', at] })
      }
    })

/** Hands in sample work with its known mark, or changes that mark and its reason. */
export default function ExemplarDialog({
  assignmentId,
  total,
  rubric,
  exemplar,
  onClose,
}: ExemplarDialogProps) {
  const most = exemplar?.marks ?? total
  const isNew = exemplar === undefined
  const draft = `exemplar ${exemplar?._id ?? assignmentId}`
  const form = useSchemaForm({
    schema: useMemo(() => schemaOf(most, isNew, rubric), [most, isNew, rubric]),
    values: {
      docsLink: '',
      note: '',
      mark: exemplar ? String(exemplar.mark) : '',
      levels: exemplar?.levels?.map(String) ?? [],
      reason: exemplar?.reason ?? '',
    },
    draft,
    over: exemplar && `${exemplar.mark} ${exemplar.reason}`,
  })
  const { register, formState, control } = form
  const chosen = useWatch({ control, name: 'levels' })
  const { errors } = formState
  const { mutateAsync } = useMutation(saveExemplar)

  return (
    <DialogForm
      title={t`Exemplar`}
      form={form}
      draft={draft}
      fields={['docsLink', 'note', 'mark', 'reason']}
      send={(values) =>
        mutateAsync({
          assignmentId,
          exemplar,
          input: {
            ...values,
            ...(rubric
              ? { mark: sumOf(rubric, values.levels), levels: values.levels.map(Number) }
              : { mark: Number(values.mark), levels: undefined }),
          },
        })
      }
      onClose={onClose}
      onSent={() => toast(exemplar ? t`Exemplar changed` : t`Exemplar handed in`)}
    >
      {!exemplar && (
        <>
          <AddressInput
            label={t`Google Docs Link`}
            hint={t`As a submitter would hand it in, without a name in it.`}
            placeholder="https://"
            {...register('docsLink')}
            error={errors.docsLink?.message}
          />
          <TextArea
            label={t`Note`}
            hint={t`Optional.`}
            rows={2}
            {...register('note')}
            error={errors.note?.message}
            dir="auto"
          />
        </>
      )}
      {rubric ? (
        <RubricFields
          seed={exemplar?._id ?? assignmentId}
          rubric={rubric}
          chosen={chosen}
          levelAt={(at) => register(`levels.${at}`)}
          errorAt={(at) => errors.levels?.[at]?.message}
        />
      ) : (
        <MarkInput total={most} {...register('mark')} error={errors.mark?.message} />
      )}
      <ReasonInput
        hint={t`Why it gets that mark. Users who have reviewed it can read this.`}
        rows={3}
        {...register('reason')}
        error={errors.reason?.message}
      />
    </DialogForm>
  )
}
