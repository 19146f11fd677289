import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The link in the newest email to an address. Emails are files in the data folder. */
export function mailedLink(data: string, to: string, page: 'reset' | 'verify' | 'undo' = 'reset'): string {
  for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.eml')) continue
    const mail = readFileSync(join(data, name), 'utf8')
    if (!mail.toLowerCase().includes(to)) continue
    const text = mail.replaceAll('=\r\n', '').replaceAll('=\n', '').replaceAll('=3D', '=')
    const link = /http:\/\/\S+\/auth\/\w+\?token=[\w.~-]+/.exec(text)?.[0]
    if (link?.includes(`/auth/${page}?`)) return link
  }
  return ''
}
