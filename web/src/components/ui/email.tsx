/** The part after the last @; empty if the text is not an address. */
function domainOf(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 0 ? '' : address.slice(at + 1)
}

/** An email address, isolated from the text around it. It breaks after its @ first, never just before. */
export function Email({ address }: { address: string }) {
  const domain = domainOf(address)
  return domain ? (
    <bdi className="wrap-anywhere">
      {address.slice(0, -domain.length)}
      <wbr />
      {domain}
    </bdi>
  ) : (
    <bdi>{address}</bdi>
  )
}
