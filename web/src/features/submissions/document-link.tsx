import { useId } from 'react'
import { ExternalIcon } from '@/components/ui'
import { isWebAddress } from '@/lib/text'
import { useHydrated } from '@/lib/use-hydrated'

interface DocumentLinkProps {
  /** Imported work may lack it. */
  href: string | undefined
  label: string
  className: string
  /** Says beside it where it leads. */
  withHost?: boolean
}

/** A link to what was handed in, outside of the product. */
export function DocumentLink({ href, label, className, withHost = false }: DocumentLinkProps) {
  const hostId = useId()
  // The first HTML cannot tell a web address from any other.
  const hydrated = useHydrated()
  if (!hydrated || !href || !isWebAddress(href)) return null
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3">
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        aria-describedby={withHost ? hostId : undefined}
        className={className}
      >
        {label}
        <ExternalIcon />
      </a>
      {withHost && (
        <bdi id={hostId} className="text-sm wrap-anywhere text-soft">
          {new URL(href).host}
        </bdi>
      )}
    </span>
  )
}
