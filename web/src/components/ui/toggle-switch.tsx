import { cx } from '@/lib/cx'

interface ToggleSwitchProps {
  label: string
  /** The label is for screen readers only, as the text around it says the same. */
  labelHidden?: boolean
  /** Undefined as long as it is not known. */
  checked: boolean | undefined
  onChange: (checked: boolean) => void
  describedBy?: string
}

/** On or off, at once: for what needs no form. */
export function ToggleSwitch({
  label,
  labelHidden = false,
  checked,
  onChange,
  describedBy,
}: ToggleSwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked ?? false}
      // Not `disabled`, so that it keeps the focus.
      aria-disabled={checked === undefined || undefined}
      aria-describedby={describedBy}
      onClick={() => checked !== undefined && onChange(!checked)}
      className="group inline-flex min-h-11 min-w-11 items-center justify-between gap-3 rounded-control text-sm font-semibold"
    >
      <span className={cx(labelHidden && 'sr-only')}>{label}</span>
      <span
        aria-hidden="true"
        className="relative h-6 w-11 shrink-0 rounded-full border border-edge bg-paper transition-colors duration-150 group-hover:border-ink group-aria-checked:border-green group-aria-checked:bg-green"
      >
        <span className="absolute start-[3px] top-[3px] size-4 rounded-full bg-edge transition-[translate,background-color] duration-150 ease-out group-aria-checked:translate-x-5 group-aria-checked:bg-on-green rtl:group-aria-checked:-translate-x-5" />
      </span>
    </button>
  )
}
