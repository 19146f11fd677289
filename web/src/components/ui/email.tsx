import { format } from '@/lib/template'

const localPart = format('localPart', (address: string) =>
  address.slice(0, address.length - domainOf(address).length),
)
const domainPart = format('domainPart', domainOf)

/** The @ and everything after it; empty if the text is not an address. */
function domainOf(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 0 ? '' : address.slice(at)
}

/** An email address, isolated from the text around it; it breaks before its @ first. */
export function Email({ address }: { address: string }) {
  return domainPart(address) ? (
    <bdi className="wrap-anywhere">
      {localPart(address)}
      <wbr />
      {domainPart(address)}
    </bdi>
  ) : (
    <bdi>{address}</bdi>
  )
}
