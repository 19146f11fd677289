/**
 * The hosts whose documents a page may show in a frame. The server's Content-Security-Policy names the same ones
 * (`frameHosts` in internal/server/template.go).
 */
const hosts = { docs: 'docs.google.com', drive: 'drive.google.com' }

const docsPath = /^\/(document|presentation|spreadsheets)\/(?:u\/\d+\/)?d\/(e\/)?([\w-]+)(?:\/|$)/
const drivePath = /^\/file\/(?:u\/\d+\/)?d\/([\w-]+)(?:\/|$)/

/**
 * The address at which a frame can show a linked document: its host's own preview, without a toolbar; null for all
 * other links.
 */
export function embeddable(link: string): string | null {
  const url = URL.parse(link)
  if (url?.protocol !== 'https:') return null
  if (url.host === hosts.docs) {
    const [, kind, published, id] = docsPath.exec(url.pathname) ?? []
    if (!kind) return null
    return published
      ? `https://${hosts.docs}/${kind}/d/e/${id}/${kind === 'spreadsheets' ? 'pubhtml?widget=true' : 'pub?embedded=true'}`
      : `https://${hosts.docs}/${kind}/d/${id}/preview${keyOf(url)}`
  }
  if (url.host !== hosts.drive) return null
  const [, file] = drivePath.exec(url.pathname) ?? []
  const id =
    file ?? (url.pathname === '/open' ? /^[\w-]+$/.exec(url.searchParams.get('id') ?? '')?.[0] : null)
  return id ? `https://${hosts.drive}/file/d/${id}/preview${keyOf(url)}` : null
}

/** Some links to old files work only with the key that they carry. */
function keyOf({ searchParams }: URL): string {
  const key = searchParams.get('resourcekey')
  return key ? `?${new URLSearchParams({ resourcekey: key }).toString()}` : ''
}
