import type { Message } from './message-dialog'

/** A question or a message that waits for an answer. The specification's alerts are all of this kind. */
interface OpenDialog {
  id: number
  message: Message
  answer: (confirmed: boolean) => void
}

let dialogs: readonly OpenDialog[] = []
let nextId = 1
const listeners = new Set<() => void>()

function update(next: readonly OpenDialog[]) {
  dialogs = next
  for (const listener of listeners) listener()
}

function open(message: Message): Promise<boolean> {
  return new Promise((resolve) => {
    const id = nextId++
    const answer = (confirmed: boolean) => {
      update(dialogs.filter((other) => other.id !== id))
      resolve(confirmed)
    }
    update([...dialogs, { id, message, answer }])
  })
}

interface Alert {
  title: string
  text?: string
  detail?: string
  error?: boolean
}

/** Says that something happened; resolves when it is read. `error` makes it an alert dialog. */
export async function showAlert({ error, ...message }: Alert): Promise<void> {
  await open({ ...message, role: error ? 'alertdialog' : 'dialog' })
}

/** Asks; resolves to whether it was confirmed. Esc and the cancel button say no. */
export function showConfirm(question: {
  title: string
  text: string
  detail?: string
  confirm?: string
  danger?: boolean
}): Promise<boolean> {
  return open({ cancel: 'Cancel', ...question, role: 'alertdialog' })
}

export function subscribeDialogs(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentDialog(): OpenDialog | null {
  return dialogs[0] ?? null
}
