import { createContext, use } from 'react'
import { useHydrated } from './use-hydrated'

interface NamedLink {
  label: string
  url: string
}

export interface DemoAccount {
  email: string
  password: string
  displayName: string
}

/** An OpenID provider, with a button `Continue with {label}`. */
export interface Provider {
  id: string
  label: string
}

/** The ways to sign in beside a password, as configured on the server. */
export interface SignIn {
  providers: readonly Provider[]
  passkeys: boolean
  /** The origin where pop-ups and passkeys work; null if the server has not sent it. */
  publicOrigin: string | null
}

/** What the operator allows: who registers, and what is in no circle. */
export interface Access {
  registration: 'open' | 'invited' | 'closed'
  /** `read`: nothing new is published in the hall. `off`: it does not exist. */
  hall: 'on' | 'read' | 'off'
}

/** The operator's texts and links, from a file on the server. */
export interface Site {
  developer: {
    name: string
    role: string
    bio: string
    photo: string
    projectCount: string
    social: NamedLink[]
    projects: { title: string; description: string; url: string }[]
  }
  footer: { tagline: string; classroom: NamedLink; social: NamedLink[] }
}

export interface Setting {
  brand: string
  site: Site
  access?: Access
  /** Whether the server has the documentation, at /docs. */
  documentation?: boolean
  /** Sample accounts; null unless the server runs as a demo. */
  demo?: DemoAccount[] | null
  signIn?: SignIn
}

export const SettingContext = createContext<Setting | null>(null)

function useSetting(): Setting {
  const setting = use(SettingContext)
  if (!setting) throw new Error('SettingContext is missing around this component')
  return setting
}

/** The product's name, one setting of the server. */
export function useBrand(): string {
  return useSetting().brand
}

export function useSite(): Site {
  return useSetting().site
}

export function useDocumentation(): boolean {
  const { documentation = false } = useSetting()
  return useHydrated() && documentation
}

const openToAll: Access = { registration: 'open', hall: 'on' }

export function useAccess(): Access {
  const { access } = useSetting()
  return access ?? openToAll
}

export function useDemo(): DemoAccount[] | null {
  const { demo = null } = useSetting()
  return useHydrated() ? demo : null
}

const passwordOnly: SignIn = { providers: [], passkeys: false, publicOrigin: null }

/** What the build does not know, and leaves out of the pages that it draws. */
export function useSignIn(): SignIn {
  const { signIn = passwordOnly } = useSetting()
  return useHydrated() ? signIn : passwordOnly
}
