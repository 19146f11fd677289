import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { toast } from '@/components/ui'
import { cx } from '@/lib/cx'
import { explain } from '@/lib/problem'
import { useUser } from '@/lib/session'
import { react } from '@/entities/comment/mutations'
import type { Comment, ReactionKind } from '@/entities/comment/queries'

const kinds = (): readonly [ReactionKind, string][] => [
  ['like', t`Like`],
  ['thanks', t`Thanks`],
  ['insightful', t`Insightful`],
  ['question', t`Question`],
]

/** Reactions to a comment, with the user's own. Visitors see their counts. */
export function Reactions({ assignmentId, comment }: { assignmentId: string; comment: Comment }) {
  const user = useUser()
  const { mutateAsync } = useMutation(react)
  const { _id: id, reactions } = comment

  async function toggle(kind: ReactionKind) {
    try {
      await mutateAsync({ assignmentId, id, kind, on: !reactions[kind].mine })
    } catch (error) {
      toast(explain(error), 'error')
    }
  }

  if (!user) {
    return kinds().map(
      ([kind, name]) =>
        reactions[kind].count > 0 && (
          <span key={kind} className="rounded-full border border-line px-2.5 py-0.5 text-soft">
            {name} {reactions[kind].count}
          </span>
        ),
    )
  }
  return kinds().map(([kind, name]) => (
    <Choice
      key={kind}
      name={name}
      count={reactions[kind].count}
      pressed={reactions[kind].mine}
      onPress={() => void toggle(kind)}
    />
  ))
}

interface ChoiceProps {
  name: string
  count: number
  pressed: boolean
  onPress: () => void
}

function Choice({ name, count, pressed, onPress }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={cx(
        'on-paper min-h-11 rounded-full border px-2.5 py-0.5 hover:border-ink md:min-h-8',
        pressed ? 'border-green font-semibold text-green' : 'border-line text-soft',
      )}
    >
      {name}
      {count > 0 && ` ${count}`}
    </button>
  )
}
