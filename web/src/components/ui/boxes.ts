import type { Message } from './message-box'

/** A question or a message that waits for an answer. The specification's alerts are all of this kind. */
interface Box {
  id: number
  message: Message
  answer: (confirmed: boolean) => void
}

let boxes: readonly Box[] = []
let nextId = 1
const listeners = new Set<() => void>()

function update(next: readonly Box[]) {
  boxes = next
  for (const listener of listeners) listener()
}

function open(message: Message): Promise<boolean> {
  return new Promise((resolve) => {
    const id = nextId++
    const answer = (confirmed: boolean) => {
      update(boxes.filter((other) => other.id !== id))
      resolve(confirmed)
    }
    update([...boxes, { id, message, answer }])
  })
}

/** Says that something happened; resolves when it is read. `error` makes it an alert dialog. */
export async function alertBox(box: {
  title: string
  text?: string
  detail?: string
  error?: boolean
}): Promise<void> {
  const { error, ...message } = box
  await open({ ...message, role: error ? 'alertdialog' : 'dialog' })
}

/** Asks; resolves to whether it was confirmed. Esc and the cancel button say no. */
export function confirmBox(box: {
  title: string
  text: string
  confirm?: string
  danger?: boolean
}): Promise<boolean> {
  return open({ cancel: 'Cancel', ...box, role: 'alertdialog' })
}

export function subscribeBoxes(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentBox(): Box | null {
  return boxes[0] ?? null
}
