import type { Access, DemoAccount, Provider, Site } from './site'

export interface SessionUser {
  email: string
  displayName: string
  photoURL?: string | null
  accessToken: string
  /** Decides on reports. */
  moderator?: boolean
  /** Sees the state of the server. */
  operator?: boolean
}

/** The data of the first HTML, under the names that queries use. */
export interface BootData {
  list?: unknown
  assignment?: unknown
  circle?: unknown
  comments?: unknown
  /** `{rows, totalPages}`, both. */
  pending?: unknown
  mine?: unknown
  dashboard?: unknown
}

/** The data that the server writes into the first HTML, so that nothing is fetched twice. */
export interface Boot {
  brand: string
  site: Site
  access: Access
  documentation?: boolean
  /** Absent: unknown, ask the server. Null: a visitor. */
  session?: SessionUser | null
  /** Sample sign-ins, in demo mode only. */
  demo?: DemoAccount[] | null
  /** The OpenID providers. */
  providers?: Provider[]
  /** Whether passkeys work at the server's address. */
  passkeys?: boolean
  /** Where the server says it is reached. */
  publicURL?: string
  /** Data of the first page. */
  data?: BootData
  /** Where among the live events the page was made. */
  live?: string
  /** The first path does not exist, or names something that does not. */
  notFound?: boolean
}

const fallback: Boot = {
  brand: 'StudyCircle',
  access: { registration: 'open', hall: 'on' },
  site: {
    developer: { name: '', role: '', bio: '', photo: '', projectCount: '', social: [], projects: [] },
    footer: { tagline: '', classroom: { label: '', url: '' }, social: [] },
  },
}

/** Reads the boot JSON once, at start. Pages served by something else get along without it. */
export function readBoot(): Boot {
  const text = document.getElementById('boot')?.textContent
  return text ? { ...fallback, ...(JSON.parse(text) as Partial<Boot>) } : fallback
}
