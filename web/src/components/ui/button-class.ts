import { cx } from '@/lib/cx'

export interface ButtonLook {
  /** One `primary` a view; `quiet` beside it; `plain` in toolbars; `danger` for what cannot be undone. */
  variant?: 'primary' | 'quiet' | 'plain' | 'danger'
  size?: 'md' | 'sm'
}

const base =
  'print:hidden inline-flex items-center justify-center gap-2 rounded-control font-semibold no-underline transition-[background-color,border-color,color,translate] duration-150 ease-out active:translate-y-px disabled:translate-y-0 disabled:opacity-60 aria-disabled:translate-y-0 aria-disabled:opacity-60 forced-colors:border'

const variants = {
  primary: 'bg-green text-on-green hover:bg-green-deep disabled:hover:bg-green aria-disabled:hover:bg-green',
  quiet: 'border border-edge bg-raised text-ink hover:border-ink',
  plain: 'text-ink hover:bg-line/60',
  danger: 'border border-red bg-raised text-red hover:bg-red hover:text-raised',
}

/* 44 px is a thumb; 36 px only where several stand in a row, and not on a phone. */
const sizes = { md: 'min-h-11 px-5 py-2 text-base', sm: 'min-h-11 px-3 py-1 text-sm md:min-h-9' }

/** Buttons and links that look like buttons share one look. */
export function buttonClass({
  variant = 'primary',
  size = 'md',
  className,
}: ButtonLook & { className?: string | undefined }): string {
  return cx(base, variants[variant], sizes[size], className)
}
