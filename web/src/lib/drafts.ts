/**
 * What is typed into a form, kept for this tab until it is sent: across a failed send, a reload, and being
 * sent away to sign in. Never used for passwords.
 */
const prefix = 'draft:'

export function readDraft<T extends object>(name: string): Partial<T> | null {
  try {
    const text = sessionStorage.getItem(prefix + name)
    return text ? (JSON.parse(text) as Partial<T>) : null
  } catch {
    return null
  }
}

export function writeDraft(name: string, values: object): void {
  try {
    sessionStorage.setItem(prefix + name, JSON.stringify(values))
  } catch {
    // A full or forbidden store costs the convenience, not the form.
  }
}

export function dropDraft(name: string): void {
  try {
    sessionStorage.removeItem(prefix + name)
  } catch {
    // See above.
  }
}

/** The next person at this computer must not find what this one typed. */
export function dropAllDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key)
    }
  } catch {
    // See above.
  }
}
