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

/** Somebody else who says who one is, with a button `Continue with {label}`. */
export interface Provider {
  id: string
  label: string
}

/** How one can sign in here beside a password, as the server was set up. */
export interface SignIn {
  providers: readonly Provider[]
  passkeys: boolean
  /** Where pop-ups and passkeys work; null where the server has not said. */
  publicOrigin: string | null
}

/** What whoever runs the site says about themselves; a file on the server, not part of the build. */
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
  /** Sample sign-ins; null unless the server shows what it can do. */
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

export function useDemo(): DemoAccount[] | null {
  return useSetting().demo ?? null
}

const passwordOnly: SignIn = { providers: [], passkeys: false, publicOrigin: null }

/** The prerendered pages know of passwords alone; their first render has to be the same. */
export function useSignIn(): SignIn {
  const { signIn = passwordOnly } = useSetting()
  return useHydrated() ? signIn : passwordOnly
}
