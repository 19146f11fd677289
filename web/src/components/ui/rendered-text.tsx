import { useEffect, useRef } from 'react'
import { cx } from '@/lib/cx'

interface RenderedTextProps {
  /** The server's own rendering, sanitised there. */
  html: string
  className?: string
}

/** Markdown as the server rendered it. Code in it is coloured when it comes into view. */
export function RenderedText({ html, className }: RenderedTextProps) {
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const blocks = text.current?.querySelectorAll<HTMLElement>('pre > code[class^="language-"]') ?? []
    if (blocks.length === 0) return
    const seen = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting) continue
          seen.unobserve(target)
          void colour(target as HTMLElement)
        }
      },
      { rootMargin: '200px' },
    )
    for (const block of blocks) seen.observe(block)
    return () => seen.disconnect()
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

/** Without its colours code reads as well: where they cannot be fetched, it stays plain. */
async function colour(block: HTMLElement) {
  try {
    const { highlight } = await import('@/lib/highlight')
    highlight(block)
  } catch {
    // See above.
  }
}
