import { t } from '@lingui/core/macro'
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { cx } from '@/lib/cx'
import { lazyPart } from '@/lib/lazy-part'

interface ClampedProps {
  /** That show at first. */
  lines?: 1 | 4
  className?: string | undefined
  children: ReactNode
}

/** A text with a `$`, which may be a formula. */
const FormulaText = lazyPart<{ text: string }>(
  () => import('./formula-text'),
  (_, { text }) => text,
)

const clamps = { 1: 'line-clamp-1', 4: 'line-clamp-4' }

/**
 * A long text: its first lines, and all of it on request. The button lies over the end of the last line, so that
 * nothing moves when it is known to be needed; it takes the colour of the surface around it, and the line fades out
 * before it, so that no letter is cut.
 */
export function Clamped({ lines = 4, className, children }: ClampedProps) {
  const [open, setOpen] = useState(false)
  const [cut, setCut] = useState(false)
  const text = useRef<HTMLDivElement>(null)
  const observer = useRef<ResizeObserver>(null)
  useLayoutEffect(() => {
    const element = text.current
    if (!element || open) return
    observer.current = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight + 1))
    return () => observer.current?.disconnect()
  }, [open])
  // It reports each text once, even one that changes no size.
  useLayoutEffect(() => {
    if (!text.current || open) return
    observer.current?.unobserve(text.current)
    observer.current?.observe(text.current)
  }, [open, children])
  return (
    <div dir="auto" className={cx('relative max-w-prose', className)}>
      <div ref={text} className={cx('whitespace-pre-wrap wrap-anywhere', !open && clamps[lines])}>
        {typeof children === 'string' && children.includes('$') ? <FormulaText text={children} /> : children}
      </div>
      {(cut || open) && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={cx(
            'link text-sm leading-[1.7rem] print:hidden',
            !open &&
              'absolute end-0 bottom-0 bg-raised ps-1 before:absolute before:inset-y-0 before:end-full before:w-12 before:bg-linear-to-r before:from-transparent before:to-raised rtl:before:bg-linear-to-l lg:in-[td]:bg-paper lg:in-[td]:before:to-paper',
          )}
        >
          {open ? t`Show less` : t`Show all`}
        </button>
      )}
    </div>
  )
}
