import { once } from '@/lib/once'

const number = once(() => new Intl.NumberFormat('en', { maximumFractionDigits: 1 }))
const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const

/** A size with its unit, powers of 1,000, as disks are sold: '12.5 GB'. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000
    unit++
  }
  return `${number().format(value)} ${units[unit] ?? ''}`
}

/** A time in its largest unit: '40 s', '5 min', '3 h', '2 d'. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}
