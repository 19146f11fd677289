import { answer, api } from '@/api/client'
import { hash } from '@/lib/hash'

const key = 'time-zone'

/**
 * Reports this browser's time zone, by which reminders go until the user chooses another. The server takes the first one
 * that it hears of; each tab reports its own once for each user.
 */
export async function reportTimeZone(email: string): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const report = `${hash(email)} ${timeZone}`
  if (!timeZone || stored() === report) return
  await answer(api.PUT('/api/settings/time-zone', { body: { timeZone } }))
  try {
    sessionStorage.setItem(key, report)
  } catch {
    // Reporting it again does no harm.
  }
}

/** The user has left: nothing of theirs stays behind, nor where an earlier release kept their address. */
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
