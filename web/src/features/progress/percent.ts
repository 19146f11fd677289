import { once } from '@/lib/once'

const format = once(
  () => new Intl.NumberFormat('en', { style: 'unit', unit: 'percent', maximumFractionDigits: 1 }),
)

/** 0 to 100 as people write it, with one decimal at most: '76.5%'. */
export const percent = (value: number): string => format().format(value)
