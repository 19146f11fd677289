import { format } from '@/lib/template'

const localPart = format('localPart', (address: string) =>
  address.slice(0, address.length - domainOf(address).length),
)
const domainPart = format('domainPart', domainOf)

/** The part after the last @; empty if the text is not an address. */
function domainOf(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 0 ? '' : address.slice(at + 1)
}

/** An email address, isolated from the text around it. It breaks after its @ first, never just before. */
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
