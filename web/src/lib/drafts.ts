/**
 * Form input, kept in this tab until it is sent: across a failed send, a reload, a new release and a sign-in. A draft
 * belongs to the user who typed it. Never used for passwords.
 */
const prefix = 'draft:'
/** The email address of the drafts' owner; empty for a visitor. */
let owner = ''

const keyOf = (name: string) => `${prefix}${owner} ${name}`

interface Draft {
  /** The version that was being changed. */
  over: string
  values: object
}

/** The draft of that name over the same version; null where there is none. */
export function readDraft<T extends object>(name: string, over = ''): Partial<T> | null {
  try {
    const text = sessionStorage.getItem(keyOf(name))
    const draft = text ? (JSON.parse(text) as Draft) : null
    return draft?.over === over ? draft.values : null
  } catch {
    return null
  }
}

/** Whether something that a user typed waits for them to come back. */
export function hasUsersDraft(): boolean {
  try {
    return Object.keys(sessionStorage).some((key) => /^draft:\S/.test(key))
  } catch {
    return false
  }
}

export function writeDraft(name: string, values: object, over = ''): void {
  try {
    sessionStorage.setItem(keyOf(name), JSON.stringify({ over, values } satisfies Draft))
  } catch {
    // A full or forbidden store costs the convenience, not the form.
  }
}

export function dropDraft(name: string): void {
  dropDrafts((key) => key === keyOf(name))
}

/** Makes this user the drafts' owner and drops the drafts of other users. */
export function keepDraftsOf(email: string): void {
  owner = email
  dropDrafts((key) => !key.startsWith(keyOf('')))
}

/** Makes the visitor the drafts' owner; a user's drafts stay for their next sign-in. */
export function keepDraftsOfVisitor(): void {
  owner = ''
}

/** The user has left: the next person at this computer must not find what this one typed. */
export function dropAllDrafts(): void {
  dropDrafts(() => true)
}

function dropDrafts(which: (key: string) => boolean) {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix) && which(key)) sessionStorage.removeItem(key)
    }
  } catch {
    // See above.
  }
}
