/** The documentation's theme: the one chosen in the app, or the system's. Runs before the page is drawn. */
const dark = matchMedia('(prefers-color-scheme: dark)')

function chosen(): string | null {
  try {
    return localStorage.getItem('theme')
  } catch {
    return null
  }
}

function follow() {
  const theme = chosen()
  const known = theme === 'dark' || theme === 'light'
  document.documentElement.dataset.theme = known ? theme : dark.matches ? 'dark' : 'light'
}

follow()
dark.addEventListener('change', follow)
addEventListener('storage', follow)
