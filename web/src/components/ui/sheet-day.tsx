import { useState } from 'react'
import { dayOfDate, formatDay } from '@/lib/dates'

/** The day of a sheet, on paper only: by default the present one. */
export function SheetDay({ day }: { day?: string | undefined }) {
  const [today] = useState(() => formatDay(dayOfDate(new Date())))
  return <p className="hidden print:block">{day ?? today}</p>
}
