import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import { answer, api } from '@/api/client'
import { progressKeys, type Dashboard, type Progress } from '@/entities/progress/queries'

interface Reminder {
  assignmentId: string
  remind: boolean
}

/**
 * Asks to be reminded before an assignment is due, or no longer: shown at once, and put back where it fails.
 * Requests go one after another: of two quick presses the second one stands.
 */
export const setReminder = mutationOptions({
  scope: { id: 'reminder' },
  mutationFn: async ({ assignmentId: id, remind }: Reminder) => {
    await answer(api.PUT('/api/assignment/{id}/reminder', { params: { path: { id } }, body: { remind } }))
  },
  onMutate: (reminder, { client }) => show(client, reminder),
  onError: (_error, { assignmentId, remind }, _before, { client }) =>
    show(client, { assignmentId, remind: !remind }),
})

function show(client: QueryClient, { assignmentId, remind }: Reminder): void {
  const changed = <Row extends Reminder>(rows: Row[]) =>
    rows.map((row) => (row.assignmentId === assignmentId ? { ...row, remind } : row))
  client.setQueriesData<Progress[]>({ queryKey: progressKeys.states }, (rows) => rows && changed(rows))
  client.setQueryData<Dashboard>(
    progressKeys.dashboard,
    (dashboard) => dashboard && { ...dashboard, due: changed(dashboard.due) },
  )
}
