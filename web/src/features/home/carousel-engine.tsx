import { useEffect } from 'react'
import useEmblaCarousel, { type UseEmblaCarouselType } from 'embla-carousel-react'

export type CarouselApi = NonNullable<UseEmblaCarouselType[1]>

/** Sets the strip of slides in motion. A component of its own, so that Embla is fetched after the first paint. */
export default function CarouselEngine({
  viewport,
  onApi,
}: {
  viewport: HTMLElement
  onApi: (api: CarouselApi) => void
}) {
  const direction = getComputedStyle(viewport).direction === 'rtl' ? 'rtl' : 'ltr'
  const [attach, api] = useEmblaCarousel({ loop: true, direction })

  useEffect(() => attach(viewport), [attach, viewport])
  useEffect(() => {
    if (api) onApi(api)
  }, [api, onApi])
  return null
}
