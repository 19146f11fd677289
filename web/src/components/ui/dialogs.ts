import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { explain } from '@/lib/problem'
import type { Answer, Message, NextStep } from './message-dialog'

/** A question or a message that waits for an answer. The specification's alerts are all of this kind. */
interface OpenDialog {
  id: number
  message: Message
  answer: (answer: Answer) => void
}

let dialogs: readonly OpenDialog[] = []
let nextId = 1
const listeners = new Set<() => void>()

function update(next: readonly OpenDialog[]) {
  dialogs = next
  for (const listener of listeners) listener()
}

function open(message: Message): Promise<Answer> {
  return new Promise((resolve) => {
    const id = nextId++
    const answer = (given: Answer) => {
      update(dialogs.filter((other) => other.id !== id))
      resolve(given)
    }
    update([...dialogs, { id, message, answer }])
  })
}

interface Alert {
  title: string
  text?: string
  detail?: ReactNode
  error?: boolean
  /** The text that the pen circles; a tick by default. */
  circled?: string
  /** The next step, beside OK. */
  next?: NextStep | undefined
}

/**
 * Says that something happened; resolves when it is read, to whether the next step was chosen. `error` makes it
 * an alert dialog.
 */
export async function showAlert({ error, ...message }: Alert): Promise<boolean> {
  return (await open({ ...message, role: error ? 'alertdialog' : 'dialog' })) === 'next'
}

/** Says that something failed, and why; `text` says what. */
export const failed = (error: unknown, text?: string): Promise<boolean> =>
  showAlert({
    title: t`Error`,
    ...(text === undefined ? { text: explain(error) } : { text, detail: explain(error) }),
    error: true,
  })

/** Asks for confirmation; resolves to the answer. Esc, Back and the cancel button mean no. */
export async function showConfirm(question: {
  title: string
  text: string
  detail?: ReactNode
  confirm?: string
  danger?: boolean
}): Promise<boolean> {
  return (await open({ cancel: t`Cancel`, ...question, role: 'alertdialog' })) === 'confirm'
}

export function subscribeDialogs(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Closes all messages without answers, as when the user signs in again. */
export function dropDialogs(): void {
  if (dialogs.length > 0) update([])
}

export function currentDialog(): OpenDialog | null {
  return dialogs[0] ?? null
}
