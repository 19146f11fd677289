import { t } from '@lingui/core/macro'
import { useSyncExternalStore } from 'react'
import { useBrand, useDocumentation, useSite } from '@/lib/site'

const never = () => () => undefined

/** The year of the reader's clock; in prerendered HTML the year of the build, until the script has run. */
function useYear(): number {
  return useSyncExternalStore(
    never,
    () => new Date().getFullYear(),
    () => __BUILD_YEAR__,
  )
}

export function Footer() {
  const brand = useBrand()
  const documented = useDocumentation()
  const year = useYear()
  const { tagline, classroom, social } = useSite().footer
  return (
    <footer className="border-t border-line print:hidden">
      <div className="mx-auto flex w-[min(100%-2rem,76rem)] flex-wrap items-center justify-between gap-x-8 gap-y-4 py-8 text-sm text-soft">
        <div>
          <p className="font-display text-base font-semibold text-ink">{tagline}</p>
          <p>
            © {year} {brand}
          </p>
        </div>
        <ul className="flex flex-wrap gap-x-6 md:gap-y-2">
          {documented && <FooterLink label={t`Documentation`} url="/docs" />}
          <FooterLink label={classroom.label} url={classroom.url} />
          {social.map(({ label, url }) => (
            <FooterLink key={label} label={label} url={url} />
          ))}
        </ul>
      </div>
    </footer>
  )
}

function FooterLink({ label, url }: { label: string; url: string }) {
  return (
    <li>
      <a href={url} className="link inline-flex min-h-11 items-center md:min-h-8" rel="noopener noreferrer">
        {label}
      </a>
    </li>
  )
}
