import { answer, api } from '@/api/client'

const key = 'time-zone'

/**
 * Reports this browser's time zone, by which reminders go until the user chooses another. The server takes the first one
 * that it hears of; each tab reports its own once for each user.
 */
export async function reportTimeZone(email: string): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const report = `${email} ${timeZone}`
  if (!timeZone || stored() === report) return
  await answer(api.PUT('/api/settings/time-zone', { body: { timeZone } }))
  try {
    sessionStorage.setItem(key, report)
  } catch {
    // Reporting it again does no harm.
  }
}

/** The user has left: their address does not stay behind, nor where an earlier release kept it. */
export function forgetTimeZone(): void {
  try {
    sessionStorage.removeItem(key)
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(`${key} `)) localStorage.removeItem(name)
    }
  } catch {
    // There is nothing where nothing can be stored.
  }
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}
