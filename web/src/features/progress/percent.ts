import { once } from '@/lib/once'

const format = once(
  () => new Intl.NumberFormat('en', { style: 'unit', unit: 'percent', maximumFractionDigits: 1 }),
)

/** 0 to 100 with at most one decimal: '76.5%'. */
export const percent = (value: number): string => format().format(value)
