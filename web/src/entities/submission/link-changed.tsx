import { t } from '@lingui/core/macro'
import { Badge } from '@/components/ui'
import { dayOfDate, formatDay } from '@/lib/dates'

/** A link that was changed after the due date, with the reader's day and time of it; nothing for other links. */
export function LinkChanged({ at }: { at: string | undefined }) {
  return at === undefined ? null : (
    <Badge tone="warning">{t`link changed after the due date, ${{ moment: momentOf(at) }}`}</Badge>
  )
}

function momentOf(instant: string): string {
  const date = new Date(instant)
  return `${formatDay(dayOfDate(date))} ${date.toTimeString().slice(0, 5)}`
}
