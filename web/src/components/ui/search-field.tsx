import { t } from '@lingui/core/macro'
import { useEffect, useImperativeHandle, useRef, type RefObject } from 'react'
import { cx } from '@/lib/cx'
import { Field, controlClass } from './field'
import { CloseIcon } from './icons'

interface SearchFieldProps {
  label: string
  /** What the address says is searched for. The box follows it, and is otherwise the user's. */
  value: string
  placeholder: string
  box: RefObject<HTMLInputElement | null>
  onClear: () => void
  /** Searches, where the box is part of a form for something else. */
  onEnter?: () => void
  /** Follows every key, where the results do. */
  onType?: (text: string) => void
  /** It gets the focus when its dialog opens. */
  first?: boolean
  className?: string
}

/** A box for words to search for, with a cross that empties it. */
export function SearchField({
  label,
  value,
  placeholder,
  box,
  onClear,
  onEnter,
  onType,
  first = false,
  className,
}: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle<HTMLInputElement | null, HTMLInputElement | null>(box, () => input.current)
  // Back and links change it too. The box stays the same element, and keeps the focus.
  const shown = useRef(value)
  useEffect(() => {
    if (!input.current || shown.current === value) return
    shown.current = input.current.value = value
  }, [value])

  function clear() {
    if (!input.current) return
    input.current.value = ''
    input.current.focus()
    onClear()
  }

  return (
    <Field label={label} className={className}>
      {(wiring) => (
        <div className="relative">
          <input
            {...wiring}
            ref={input}
            type="search"
            name="search"
            maxLength={200}
            defaultValue={value}
            enterKeyHint="search"
            data-autofocus={first || undefined}
            onInput={(event) => onType?.(event.currentTarget.value)}
            placeholder={placeholder}
            onKeyDown={(event) => {
              if (!onEnter || event.key !== 'Enter') return
              event.preventDefault()
              onEnter()
            }}
            className={cx(controlClass, 'peer pe-11 text-ellipsis')}
          />
          <button
            type="button"
            aria-label={t`Clear`}
            onClick={clear}
            className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-control text-soft peer-placeholder-shown:hidden hover:text-ink"
          >
            <CloseIcon />
          </button>
        </div>
      )}
    </Field>
  )
}
