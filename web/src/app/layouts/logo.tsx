import { AppLink } from '@/components/ui'
import { cx } from '@/lib/cx'
import { useBrand } from '@/lib/site'

interface LogoProps {
  /** Beside much else: phones, and a bar with all links, have room for the picture alone. */
  crowded: boolean
}

/** The pen's circle with a tick in it, as in /art/logo.svg, and the brand. */
export function Logo({ crowded }: LogoProps) {
  const brand = useBrand()
  return (
    <AppLink
      to="/"
      className="inline-flex min-h-11 min-w-0 items-center gap-2 rounded-control font-display text-lg font-bold tracking-tight"
    >
      <svg aria-hidden="true" viewBox="0 0 48 48" className="size-9 shrink-0">
        <path
          d="M40.4 19.9c-.1 1.9 1.1 7.9-.2 11.2a18 18 0 0 1-7.5 8.6c-3.2 1.9-7.8 3-11.5 2.6s-8-2.2-10.8-4.6a19 19 0 0 1-6-9.9 18 18 0 0 1 2-11.3c1.8-3.3 5.3-6.6 8.8-8.1s10.3-.8 12.3-1"
          className="pen-stroke text-red"
          strokeWidth="3.4"
        />
        <path d="M14.5 25.5 22 33 41 8.5" className="pen-stroke text-green" strokeWidth="3.2" />
      </svg>
      <span className={cx('truncate', crowded && 'max-[27rem]:sr-only lg:max-xl:sr-only')}>{brand}</span>
    </AppLink>
  )
}
