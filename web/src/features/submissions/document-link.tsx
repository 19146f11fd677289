import { ExternalIcon } from '@/components/ui'

interface DocumentLinkProps {
  href: string
  label: string
  className: string
  describedBy?: string
}

/** A link to what was handed in, outside of the product. The API takes web addresses only. */
export function DocumentLink({ href, label, className, describedBy }: DocumentLinkProps) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      aria-describedby={describedBy}
      className={className}
    >
      {label}
      <ExternalIcon />
    </a>
  )
}
