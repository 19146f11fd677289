import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'

const listeners = new Set<() => void>()

function current(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'
}

function remembered(): string | null {
  try {
    return localStorage.getItem('theme')
  } catch {
    return null
  }
}

/** The browser's own bars take the page's colour. */
function paintBrowser(theme: Theme) {
  const meta = document.querySelector('meta[name="theme-color"]')
  meta?.setAttribute('content', theme === 'dark' ? '#14171c' : '#fbfaf6')
}

function show(theme: Theme) {
  document.documentElement.dataset.theme = theme
  paintBrowser(theme)
  for (const listener of listeners) listener()
}

/** Sets and remembers the theme; 'system' forgets it and follows the system again. */
export function setTheme(theme: Theme | 'system'): void {
  try {
    if (theme === 'system') localStorage.removeItem('theme')
    else localStorage.setItem('theme', theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  show(theme === 'system' ? systemTheme() : theme)
}

function systemTheme(): Theme {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Follows the system until a theme is chosen, and choices made in other tabs. The script in the shell set the first one. */
export function followTheme(): void {
  paintBrowser(current())
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (!remembered()) show(systemTheme())
  })
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === 'theme') show(newValue === 'dark' || newValue === 'light' ? newValue : systemTheme())
  })
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, current, () => 'light')
}

/** The chosen theme, or the system's. */
export function useThemeChoice(): Theme | 'system' {
  return useSyncExternalStore(
    subscribe,
    () => {
      const choice = remembered()
      return choice === 'dark' || choice === 'light' ? choice : 'system'
    },
    () => 'system',
  )
}
