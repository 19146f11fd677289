import { ago } from '@/lib/ago'
import { once } from '@/lib/once'
import { format } from '@/lib/template'
import { useHydrated } from '@/lib/use-hydrated'

const clock = once(
  () => new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23' }),
)

/** An instant's day, UTC, yyyy/MM/dd. */
const writtenDay = format('writtenDay', (instant: string) => instant.slice(0, 10).replaceAll('-', '/'))

/** When something happened: how long ago, with day and time as a tooltip. The first HTML, which knows no clock, has the day. */
export function Moment({ instant }: { instant: string }) {
  const hydrated = useHydrated()
  return (
    <time dateTime={instant} title={hydrated ? clock().format(new Date(instant)) : undefined}>
      {hydrated ? ago(instant) : writtenDay(instant)}
    </time>
  )
}
