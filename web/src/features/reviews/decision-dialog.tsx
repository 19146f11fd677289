import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import {
  Clamped,
  Dialog,
  DialogActions,
  DialogForm,
  ErrorState,
  ExternalIcon,
  Loading,
  Radio,
  ReasonInput,
  buttonClass,
  Button,
  toast,
} from '@/components/ui'
import { isOpen, resultQuery, type ResultDetail } from '@/entities/result/queries'
import { placed, sumOf } from '@/entities/rubric/rubric'
import { RubricFields } from '@/entities/rubric/rubric-fields'
import { explain } from '@/lib/problem'
import { reason, wholeNumber } from '@/lib/rules'
import { isWebAddress } from '@/lib/text'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { MarkInput } from './decision-fields'
import { decisionName, markKnown, reopen, type Decision } from './deciding'

type Rubric = NonNullable<ResultDetail['rubric']>

interface DecisionForm {
  action: 'new-reviewers' | 'set-mark'
  mark: string
  /** Of a rubric: the level of each criterion, counted from 0. */
  levels: (string | null | undefined)[]
  reason: string
}

/** Only a mark of the creator's own has to be one, or levels for all criteria. */
function schemaOf(total: number, rubric: Rubric | undefined): z.ZodMiniType<DecisionForm, DecisionForm> {
  const mark = wholeNumber(0, total)
  return z
    .object({
      action: z.enum(['new-reviewers', 'set-mark']),
      mark: z.string(),
      levels: z.array(z.nullish(z.string())),
      reason,
    })
    .check((form) => {
      const { action, mark: typed, levels } = form.value
      if (action !== 'set-mark') return
      for (const { index: at } of placed(rubric?.criteria ?? [])) {
        if (levels[at]) continue
        form.issues.push({ code: 'custom', message: t`Choose a level.`, input: levels, path: ['levels', at] })
      }
      const fault = !rubric && z.safeParse(mark, typed).error?.issues[0]
      if (fault) form.issues.push({ code: 'custom', message: fault.message, input: typed, path: ['mark'] })
    })
}

/** The level of each criterion that as many reviews are above as below; of two, the lower one. */
function middleLevels({ received, rubric }: ResultDetail): string[] {
  const reviews = received.flatMap(({ levels }) => (levels ? [levels] : []))
  if (reviews.length === 0) return []
  return placed(rubric?.criteria ?? []).map(({ index: at }) => {
    const levels = reviews.map((chosen) => chosen[at] ?? 0).toSorted((a, b) => a - b)
    return String(levels[Math.floor((levels.length - 1) / 2)])
  })
}

interface DecisionDialogProps {
  assignmentId: string
  /** The submission's. */
  id: string
  decision: Decision
  onClose: () => void
}

/** A decision of the creator about a mark, with a reason. */
export default function DecisionDialog({ assignmentId, id, decision, onClose }: DecisionDialogProps) {
  const { data, error, refetch } = useQuery(resultQuery(assignmentId, id))
  if (data) return <Decide result={data} decision={decision} onClose={onClose} />
  return (
    <Dialog title={t`Decide`} onClose={onClose}>
      {error ? <ErrorState message={explain(error)} onRetry={() => void refetch()} /> : <Loading />}
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          {t`Cancel`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

interface DecideProps {
  result: ResultDetail
  decision: Decision
  onClose: () => void
}

function Decide({ result, decision: asked, onClose }: DecideProps) {
  const { _id: id, marks: total, givenMark, appealReason, freeReviewers } = result
  const asksReviewers = asked === 'reviewers' || asked === 'look'
  // Without a reviewer, the creator's mark remains.
  const [decision] = useState(asksReviewers && freeReviewers === 0 ? 'change' : asked)
  // To keep a mark, no level is chosen.
  const rubric = decision === 'keep' ? undefined : result.rubric
  const draft = `${decision} ${id}`
  const form = useSchemaForm<DecisionForm>({
    schema: useMemo(() => schemaOf(total, rubric), [total, rubric]),
    values: {
      action: decision === asked && asksReviewers ? 'new-reviewers' : 'set-mark',
      mark: decision === 'known' ? '' : String(givenMark ?? ''),
      levels: decision === 'known' ? [] : middleLevels(result),
      reason: '',
    },
    draft,
  })
  const { register, formState, control } = form
  const { errors } = formState
  const action = useWatch({ control, name: 'action' })
  const chosen = useWatch({ control, name: 'levels' })
  const { mutateAsync: sendReopening } = useMutation(reopen)
  const { mutateAsync: sendKnown } = useMutation(markKnown)
  // Registered from the start: of the fields with faults, the one registered first gets the focus.
  const markField = register('mark')
  for (const { index: at } of placed(rubric?.criteria ?? [])) register(`levels.${at}`)

  const markIn = ({ mark, levels }: DecisionForm) => {
    if (decision === 'keep') return givenMark
    return rubric ? sumOf(rubric, levels) : Number(mark)
  }
  async function send(values: DecisionForm) {
    const { reason: words } = values
    const mark = { mark: Number(markIn(values)), ...(rubric && { levels: values.levels.map(Number) }) }
    if (decision === 'known') await sendKnown({ id, input: { ...mark, reason: words } })
    else await sendReopening({ id, input: { action, reason: words, ...(action === 'set-mark' && mark) } })
  }

  return (
    <DialogForm
      title={decisionName(decision, result)}
      form={form}
      draft={draft}
      fields={['mark', 'reason']}
      send={send}
      onClose={onClose}
      onSent={() => toast(saidOf(action, result))}
    >
      {isOpen(result) && <Work result={result} />}
      {appealReason && (
        <p className="border-s-4 border-line ps-4">
          <b>{t`Why the submitter appealed:`}</b>{' '}
          <bdi className="whitespace-pre-wrap wrap-anywhere">{appealReason}</bdi>
        </p>
      )}
      {decision === 'known' && (
        <p className="max-w-prose text-soft">
          <Trans>
            Your mark settles the submission. Its reviews then show how their reviewers mark, as those of an
            exemplar do. Marks that are already settled stay.
          </Trans>
        </p>
      )}
      {freeReviewers === 0 && decision !== 'known' && (
        <p className="max-w-prose text-soft">
          {t`No other member of the circle can review it: those who review have had it already.`}
        </p>
      )}
      {decision === 'look' && (
        <fieldset className="grid gap-1">
          <legend className="mb-1 text-sm font-semibold">{t`What should happen?`}</legend>
          <Radio value="new-reviewers" {...register('action')}>
            {freeReviewers === 1
              ? t`One new reviewer looks at it: only one is free`
              : t`Two new reviewers look at it`}
          </Radio>
          <Radio value="set-mark" {...register('action')}>
            {t`I set the mark`}
          </Radio>
        </fieldset>
      )}
      {action === 'set-mark' &&
        decision !== 'keep' &&
        (rubric ? (
          <RubricFields
            seed={id}
            rubric={rubric}
            chosen={chosen}
            levelAt={(at) => register(`levels.${at}`)}
            errorAt={(at) => errors.levels?.[at]?.message}
          />
        ) : (
          <MarkInput total={total} {...markField} error={errors.mark?.message} />
        ))}
      <ReasonInput
        hint={t`The submitter can read it, and it stays in the history of the mark.`}
        {...register('reason')}
        error={errors.reason?.message}
      />
    </DialogForm>
  )
}

function saidOf(action: DecisionForm['action'], { status, freeReviewers }: ResultDetail): string {
  if (action === 'set-mark') return t`The submitter sees the mark and your reason.`
  if (status !== 'completed')
    return freeReviewers === 1 ? t`One new reviewer will look at it.` : t`Two new reviewers will look at it.`
  return freeReviewers === 1
    ? t`One new reviewer will look at it. The mark stands until then.`
    : t`Two new reviewers will look at it. The mark stands until then.`
}

/** The work to decide about. */
function Work({ result: { docsLink, note } }: { result: ResultDetail }) {
  return (
    <div className="grid gap-3 border-b border-line pb-5">
      {isWebAddress(docsLink) && (
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
      {note && <Clamped>{note}</Clamped>}
    </div>
  )
}
