import { ago } from '@/lib/ago'
import { once } from '@/lib/once'

const clock = once(
  () => new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23' }),
)

/** When something happened: how long ago, with day and time as a tooltip. */
export function Moment({ instant }: { instant: string }) {
  return (
    <time dateTime={instant} title={clock().format(new Date(instant))}>
      {ago(instant)}
    </time>
  )
}
