import { useEffect, useRef } from 'react'
import { cx } from '@/lib/cx'

interface RenderedTextProps {
  /** The server's own rendering, sanitised there. */
  html: string
  className?: string
}

/** Markdown as the server rendered it. Code in it is colored, and formulas are drawn, when they come into view. */
export function RenderedText({ html, className }: RenderedTextProps) {
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const parts = text.current?.querySelectorAll<HTMLElement>('pre > code[class^="language-"], var') ?? []
    if (parts.length === 0) return
    const seen = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting) continue
          seen.unobserve(target)
          void finish(target as HTMLElement)
        }
      },
      { rootMargin: '200px' },
    )
    for (const part of parts) seen.observe(part)
    const all = () => parts.forEach((part) => void finish(part))
    const paper = matchMedia('print')
    window.addEventListener('beforeprint', all)
    paper.addEventListener('change', all)
    return () => {
      seen.disconnect()
      window.removeEventListener('beforeprint', all)
      paper.removeEventListener('change', all)
    }
  }, [html])
  // oxlint-disable-next-line react/no-danger -- made and sanitised by the server
  return (
    <div
      ref={text}
      dir="auto"
      className={cx('rendered', className)}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

/** Code without its colors, and a formula as typed, read as well: where the code to do more cannot be fetched, they stay. */
async function finish(part: HTMLElement) {
  try {
    if (part.tagName === 'VAR') (await import('@/lib/formulas')).drawFormula(part)
    else (await import('@/lib/highlight')).highlight(part)
  } catch {
    // See above.
  }
}
