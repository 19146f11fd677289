import { hash } from './hash'

/**
 * Form input, kept in this browser until it is sent: across a failed send, a reload, a closed tab, a restart, a new
 * release and a sign-in, and the same in every tab. A draft belongs to the user who typed it; a visitor's stays in its
 * tab. Never used for passwords.
 */
const prefix = 'draft:'
/** More are too many to come back to; the oldest go. */
const maxDrafts = 60
const maxAgeMs = 30 * 24 * 60 * 60_000
/** Far above the longest text of a form, in UTF-16 code units. */
const maxLength = 200_000

/** Names the drafts' owner, without the address; empty for a visitor. */
let owner = ''
/** The drafts that could not be stored: leaving asks, because they would be lost. */
const unkept = new Set<string>()

/** A draft is stored as its time, a line break and this as JSON. */
interface Draft {
  /** The version that was being changed. */
  over: string
  values: object
}

const baseOf = (name: string) => `${prefix}${owner} ${name}`
/** Drafts over several versions stand side by side. */
const keyOf = (name: string, over: string) => baseOf(name) + (over && `\n${hash(over)}`)
/** Whether a key is one of a draft of that name. */
const isOf = (name: string) => (key: string) => key === baseOf(name) || key.startsWith(`${baseOf(name)}\n`)

/** A browser may forbid its stores. */
function area(inTab: boolean): Storage | null {
  try {
    return inTab ? sessionStorage : localStorage
  } catch {
    return null
  }
}

const ownArea = (inTab: boolean) => area(inTab || owner === '')
const draftKeys = (store: Storage | null) =>
  store ? Object.keys(store).filter((key) => key.startsWith(prefix)) : []
const timeOf = (text: string | null) => Number(text?.slice(0, text.indexOf('\n')))
const bodyOf = (text: string | null) => text?.slice(text.indexOf('\n') + 1)

function parse(text: string | null): Draft | null {
  try {
    return text === null || Date.now() - timeOf(text) > maxAgeMs
      ? null
      : (JSON.parse(bodyOf(text) ?? '') as Draft)
  } catch {
    return null
  }
}

/** The draft of that name over the same version; null where there is none. `inTab`: kept in this tab alone. */
export function readDraft<T extends object>(name: string, over = '', inTab = false): Partial<T> | null {
  const draft = parse(ownArea(inTab)?.getItem(keyOf(name, over)) ?? null)
  return draft?.over === over ? draft.values : null
}

/** Whether something that a user typed waits for them to come back. */
export function hasUsersDraft(): boolean {
  return draftKeys(area(false)).some((key) => !key.endsWith(` ${unansweredRequests}`))
}

/** The name of what is kept of requests without an answer, beside the drafts. */
export const unansweredRequests = 'unanswered'

export function writeDraft(name: string, values: object, over = '', inTab = false): void {
  const [store, key] = [ownArea(inTab), keyOf(name, over)]
  const body = JSON.stringify({ over, values } satisfies Draft)
  // Other tabs hear of each change: an equal draft is none.
  const isStored = store !== null && bodyOf(store.getItem(key)) === body
  const fits = store !== null && body.length <= maxLength
  setKept(key, isStored || (fits && put(store, key, `${Date.now()}\n${body}`)))
}

/** Stores a draft, in the place of the oldest ones where there is no room. */
function put(store: Storage, key: string, text: string): boolean {
  const others = draftKeys(store).filter((other) => other !== key)
  others.sort((one, other) => timeOf(store.getItem(one)) - timeOf(store.getItem(other)))
  for (;;) {
    try {
      if (others.length < maxDrafts) {
        store.setItem(key, text)
        return true
      }
    } catch {
      if (others.length === 0) return false
    }
    store.removeItem(others.shift() ?? '')
  }
}

/** Asks the user who leaves with a text that is not stored. */
const ask = (event: BeforeUnloadEvent) => event.preventDefault()

function setKept(key: string, kept: boolean): void {
  if (kept) unkept.delete(key)
  else unkept.add(key)
  if (unkept.size > 0) window.addEventListener('beforeunload', ask)
  else window.removeEventListener('beforeunload', ask)
}

/** Drops the drafts of that name, over any version. */
export function dropDraft(name: string): void {
  dropDrafts(isOf(name))
}

/** The form of that name is gone. What of it could not be stored is gone, too. */
export function leaveDraft(name: string): void {
  for (const key of [...unkept].filter(isOf(name))) setKept(key, true)
}

/** Calls back when another tab changes or drops a draft, with its values after and before; null for none. */
export function followDraft(
  name: string,
  over: string,
  onChange: (values: object | null, before: object | null) => void,
): () => void {
  const listen = ({ key, newValue, oldValue }: StorageEvent) => {
    if (key === keyOf(name, over)) onChange(parse(newValue)?.values ?? null, parse(oldValue)?.values ?? null)
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}

/** Makes this user the drafts' owner and drops the drafts of other users, and old ones. */
export function keepDraftsOf(email: string): void {
  owner = hash(email)
  takeDraftsOfTab(email)
  dropDrafts((key) => !key.startsWith(baseOf('')))
  const store = area(false)
  for (const key of draftKeys(store)) if (!parse(store?.getItem(key) ?? null)) store?.removeItem(key)
}

/** Takes the drafts that a release before this one kept in this tab, under the user's address. */
function takeDraftsOfTab(email: string): void {
  const [store, own] = [area(true), `${prefix}${email} `]
  for (const key of draftKeys(store)) {
    if (!key.startsWith(own)) continue
    try {
      const { over, values } = JSON.parse(store?.getItem(key) ?? '') as Draft
      writeDraft(key.slice(own.length), values, over)
    } catch {
      // It is not a draft of ours.
    }
    store?.removeItem(key)
  }
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
  for (const store of [area(true), area(false)]) {
    for (const key of draftKeys(store).filter(which)) store?.removeItem(key)
  }
  for (const key of [...unkept].filter(which)) setKept(key, true)
}
