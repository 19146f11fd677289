import { useState } from 'react'
import { cx } from '@/lib/cx'
import { penCircle } from './pen'

/** An assignment's picture, 16:9. If it does not load, a drawn sheet with the title's first letter replaces it. */
export function Thumbnail({
  src,
  title,
  blank = false,
  eager = false,
  className,
}: {
  src: string
  title: string
  /** There is no picture yet. */
  blank?: boolean
  /** Above the fold: fetch at once. */
  eager?: boolean
  className?: string
}) {
  const [broken, setBroken] = useState<string | null>(null)
  const frame = cx('aspect-video w-full bg-paper object-cover', className)
  if (blank || (broken !== null && broken === src)) {
    return (
      <svg aria-hidden="true" viewBox="0 0 160 90" className={frame}>
        <path
          d="M52 10h56v80H52z"
          fill="var(--raised)"
          stroke="var(--edge)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d="M60 62h40M60 70h40M60 78h26"
          stroke="var(--line)"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
        <path
          d={penCircle(title)}
          transform="translate(62 18) scale(.36)"
          className="pen-stroke text-red"
          strokeWidth="1.6"
        />
        <text x="80" y="41.500" textAnchor="middle" className="fill-ink font-display text-[18px] font-bold">
          {[...title.trim()][0]}
        </text>
      </svg>
    )
  }
  return (
    <img
      src={src}
      alt=""
      width={640}
      height={360}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(src)}
      // It may have failed before React was listening.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) image.decode().catch(() => setBroken(src))
      }}
      className={frame}
    />
  )
}
