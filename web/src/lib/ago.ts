import { t } from '@lingui/core/macro'
import { once } from './once'

const dayMs = 86_400_000
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const format = once(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }))

/**
 * How long ago an instant was, in the largest unit that fits: '3 days ago', '5 minutes ago', 'just now'. The start of a
 * day in UTC stands for the whole day: 'today', 'yesterday', '3 days ago'.
 */
export function ago(instant: string, now = Date.now()): string {
  const then = Date.parse(instant)
  if (then % dayMs === 0) return format().format(Math.min(then / dayMs - Math.floor(now / dayMs), 0), 'day')
  const passed = now - then
  const [unit, size] = units.find(([, milliseconds]) => passed >= milliseconds) ?? []
  return unit && size ? format().format(-Math.floor(passed / size), unit) : t`just now`
}
