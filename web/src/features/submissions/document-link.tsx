import { useId } from 'react'
import { ExternalIcon } from '@/components/ui'
import { isWebAddress } from '@/lib/text'
import { useHydrated } from '@/lib/use-hydrated'

/** A link to what was handed in, outside of the product, and the host that it leads to. */
export function DocumentLink({ href, label, className }: { href: string; label: string; className: string }) {
  const hostId = useId()
  // The first HTML cannot tell a web address from any other.
  const hydrated = useHydrated()
  if (!hydrated || !isWebAddress(href)) return null
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        aria-describedby={hostId}
        className={className}
      >
        {label}
        <ExternalIcon />
      </a>
      <bdi id={hostId} className="text-sm wrap-anywhere text-soft">
        {new URL(href).host.replace(/^www\./, '')}
      </bdi>
    </span>
  )
}
