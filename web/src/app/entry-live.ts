import { outdateAssignments } from '@/features/assignments/api'
import { outdateMine, outdatePending } from '@/features/submissions/api'
import { startLive } from '@/lib/live'
import { onLive } from '@/lib/live-events'

/** What becomes of the lists when others change something. */
onLive(({ kind, id }) => {
  const of = kind.slice(0, kind.indexOf('.') + 1)
  if (of === 'assignment.' || kind === 'reset') outdateAssignments(id)
  if (of === 'submission.' || kind === 'reset') outdatePending()
  if (kind === 'own-submission' || kind === 'reset') outdateMine()
})

/** Listens from the place among the events at which the page was made; '' where that is not known. */
export function listen(place: string): void {
  startLive(place)
}
