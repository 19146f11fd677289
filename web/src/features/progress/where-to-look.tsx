import { useQuery } from '@tanstack/react-query'
import { percent } from '@/lib/rounded'
import { isOpen, looksQuery } from '@/entities/result/queries'

interface WhereToLookProps {
  assignmentId: string
  /** Opens a submission. */
  onOpen: (submissionId: string) => void
}

/** The submissions of which a mark of the viewer's helps most. */
export function WhereToLook({ assignmentId, onOpen }: WhereToLookProps) {
  const { data } = useQuery(looksQuery(assignmentId))
  // Of open ones the mark is decided in another way.
  const looks = data?.data.filter((look) => !isOpen(look)) ?? []
  if (looks.length === 0) return null
  return (
    <section aria-labelledby="where-to-look" className="rounded-card border border-line bg-raised p-5">
      <h3 id="where-to-look" className="text-base">
        Where one look helps most
      </h3>
      <p className="mt-1 max-w-prose text-sm text-soft">
        Open one and mark it yourself: your mark settles it, and from then on it shows how its reviewers mark.
        The figure is the share of total uncertainty this is expected to remove.
      </p>
      <ol className="mt-2 grid grid-cols-1 gap-1">
        {looks.map(({ _id: id, submitterName, status, fall }, at) => (
          <li key={id}>
            <button
              type="button"
              className="link min-h-8 text-start wrap-anywhere"
              onClick={() => onOpen(id)}
            >
              <bdi>{submitterName ?? 'Unknown'}</bdi>
              {at === 0 && ': mark this one first'}
              {at === 0 ? ', ' : ': '}
              {status === 'completed'
                ? `${percent(fall)} less uncertainty, has its mark`
                : `${percent(fall)} less uncertainty`}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
