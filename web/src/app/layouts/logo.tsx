import { AppLink } from '@/components/ui'
import { useBrand } from '@/lib/site'

/** The pen's circle with a tick in it, as in the favicon, and the brand. */
export function Logo() {
  const brand = useBrand()
  return (
    <AppLink
      to="/"
      className="inline-flex items-center gap-2 rounded-control font-display text-lg font-bold tracking-tight"
    >
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-9">
        <path
          d="M24 5.500C18 1.500 8 3.500 4.500 10.500S3.500 25 11.500 28.200s17.500-1.700 17.800-10.900C29.500 10.500 24.800 5 17.500 4.200"
          className="pen-stroke text-red"
          strokeWidth="2.400"
        />
        <path d="M10.500 17.200l4 4.100 7.600-10" className="pen-stroke text-green" strokeWidth="2.800" />
      </svg>
      {brand}
    </AppLink>
  )
}
