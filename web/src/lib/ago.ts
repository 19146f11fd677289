import { once } from './once'

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]
const format = once(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }))

/** How long ago an instant was, in the largest unit that fits: '3 days ago', '5 minutes ago', 'just now'. */
export function ago(instant: string, now = Date.now()): string {
  const passed = now - Date.parse(instant)
  const [unit, size] = units.find(([, milliseconds]) => passed >= milliseconds) ?? []
  return unit && size ? format().format(-Math.floor(passed / size), unit) : 'just now'
}
