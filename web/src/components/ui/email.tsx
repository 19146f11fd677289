/** An e-mail address, isolated from the text around it, that breaks before its @ first. */
export function Email({ address }: { address: string }) {
  const at = address.lastIndexOf('@')
  if (at < 0) return <bdi>{address}</bdi>
  return (
    <bdi className="wrap-anywhere">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </bdi>
  )
}
