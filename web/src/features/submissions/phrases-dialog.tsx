import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Dialog, DialogForm, ErrorState, Loading, TextArea, toast } from '@/components/ui'
import { explain } from '@/lib/problem'
import { lengthOf } from '@/lib/text'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { phrasesQuery, putPhrases } from '@/entities/submission/phrases-query'

const title = () => t`My Phrases`
const most = 50
const longest = 300

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const schema = z.object({
  lines: z.string().check(
    z.refine((text) => linesOf(text).length <= most, { error: () => t`At most ${most} phrases.` }),
    z.refine((text) => linesOf(text).every((line) => lengthOf(line) <= longest), {
      error: () => t`A phrase has at most ${longest} characters.`,
    }),
  ),
})

/** The sentences that the user keeps for feedback. */
export default function PhrasesDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(phrasesQuery)
  if (data) return <PhrasesForm phrases={data} onClose={onClose} />
  return (
    <Dialog title={title()} onClose={onClose}>
      {error ? <ErrorState message={explain(error)} onRetry={() => void refetch()} /> : <Loading />}
    </Dialog>
  )
}

function PhrasesForm({ phrases, onClose }: { phrases: string[]; onClose: () => void }) {
  const saved = phrases.join('\n')
  const draft = 'phrases'
  const form = useSchemaForm({ schema, values: { lines: saved }, draft, over: saved })
  const { mutateAsync } = useMutation(putPhrases)
  return (
    <DialogForm
      title={title()}
      form={form}
      draft={draft}
      fields={['lines']}
      send={({ lines }) => mutateAsync(linesOf(lines))}
      onClose={onClose}
      onSent={() => toast(t`Phrases saved`)}
      action={{ label: t`Save`, busy: t`Saving...` }}
    >
      <TextArea
        label={t`One phrase per line`}
        hint={t`Up to ${most}. Only you see them. When you begin to type one as feedback, it is suggested: choose it with the arrow keys and Enter.`}
        rows={8}
        {...form.register('lines')}
        error={form.formState.errors.lines?.message}
        dir="auto"
      />
    </DialogForm>
  )
}
