import { t } from '@lingui/core/macro'
import { useState, type KeyboardEvent } from 'react'
import { cx } from '@/lib/cx'
import { forwardKey } from '@/lib/direction'
import { lazyPart } from '@/lib/lazy-part'
import { banners } from './banners'
import { CarouselButton } from './carousel-button'
import { useCarousel } from './use-carousel'

/** Until it is there, and where it cannot be had, the first picture shows. */
const CarouselEngine = lazyPart(
  () => import('./carousel-engine'),
  () => null,
)

/** The five banners. Prerendered with the first one showing; the engine joins in once the page is drawn. */
export function Carousel({ className }: { className?: string }) {
  const slides = banners()
  // A callback ref in state: the engine mounts only after the first commit, never while prerendering.
  const [viewport, setViewport] = useState<HTMLDivElement | null>(null)
  const { setApi, asked, selected, paused, playing, move, togglePause, watch } = useCarousel()

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    move(event.key === forwardKey(event.currentTarget) ? 1 : -1)
  }

  return (
    <section
      aria-label={t`Banners`}
      aria-roledescription={t`carousel`}
      className={className}
      onKeyDown={onKeyDown}
      {...watch}
    >
      <div ref={setViewport} className="overflow-hidden rounded-card border border-line">
        <div
          aria-live={playing ? 'off' : 'polite'}
          className="flex aspect-[3/2] touch-pan-y touch-pinch-zoom sm:aspect-[8/3] lg:aspect-[3/2]"
        >
          {slides.map(({ src, alt }, i) => (
            <div
              key={src}
              role="group"
              aria-roledescription={t`slide`}
              aria-label={t`${{ number: i + 1 }} of ${{ count: slides.length }}`}
              aria-hidden={i !== selected}
              className="min-w-0 shrink-0 grow-0 basis-full"
            >
              <img
                src={src}
                alt={alt}
                width={1280}
                height={480}
                loading={i === 0 ? 'eager' : 'lazy'}
                fetchPriority={i === 0 ? 'high' : 'auto'}
                decoding={i === 0 ? 'sync' : 'async'}
                draggable={false}
                className="size-full object-cover"
              />
            </div>
          ))}
        </div>
      </div>
      <div className="mt-3 flex justify-center gap-2 lg:justify-end">
        <CarouselButton label={t`Previous slide`} onClick={() => move(-1)}>
          <path d="m14.500 5-7 7 7 7" className="rtl:-scale-x-100 rtl:origin-center" />
        </CarouselButton>
        <CarouselButton label={t`Pause`} pressed={paused} onClick={togglePause}>
          <path
            d={paused ? 'M8 5.500v13l11-6.500z' : 'M9 5.500v13M15.500 5.500v13'}
            className={cx(paused && 'fill-current')}
          />
        </CarouselButton>
        <CarouselButton label={t`Next slide`} onClick={() => move(1)}>
          <path d="m9.500 5 7 7-7 7" className="rtl:-scale-x-100 rtl:origin-center" />
        </CarouselButton>
      </div>
      {viewport && <CarouselEngine key={asked} viewport={viewport} onApi={setApi} />}
    </section>
  )
}
