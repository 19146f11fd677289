import { ExternalIcon } from '@/components/ui'

interface DocumentLinkProps {
  href: string
  label: string
  className: string
  describedBy?: string
}

/** An external link to the submitted document. The API accepts web addresses only. */
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
