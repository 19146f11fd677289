import { answer, api } from '@/api/client'

/**
 * Reports this browser's time zone, by which reminders go until the user chooses another. The server takes the first one
 * that it hears of; each browser reports its own once for each user.
 */
export async function reportTimeZone(email: string): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const key = `time-zone ${email}`
  if (!timeZone || stored(key) === timeZone) return
  await answer(api.PUT('/api/settings/time-zone', { body: { timeZone } }))
  try {
    localStorage.setItem(key, timeZone)
  } catch {
    // Reporting it again does no harm.
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
