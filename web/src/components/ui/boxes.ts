/** A question or a message that waits for an answer. The specification's alerts are all of this kind. */
export interface Box {
  id: number
  title: string
  text?: string | undefined
  /** What is behind it, where that helps. */
  detail?: string | undefined
  role: 'dialog' | 'alertdialog'
  confirm: string
  cancel?: string | undefined
  /** The confirmed action cannot be undone. */
  danger: boolean
  answer: (confirmed: boolean) => void
}

let boxes: readonly Box[] = []
let nextId = 1
const listeners = new Set<() => void>()

function update(next: readonly Box[]) {
  boxes = next
  for (const listener of listeners) listener()
}

function open(box: Omit<Box, 'id' | 'answer'>): Promise<boolean> {
  return new Promise((resolve) => {
    const id = nextId++
    const answer = (confirmed: boolean) => {
      update(boxes.filter((other) => other.id !== id))
      resolve(confirmed)
    }
    update([...boxes, { ...box, id, answer }])
  })
}

/** Says that something happened; resolves when it is read. `error` makes it an alert dialog. */
export async function alertBox(box: {
  title: string
  text?: string
  detail?: string
  error?: boolean
}): Promise<void> {
  const role = box.error ? 'alertdialog' : 'dialog'
  await open({ title: box.title, text: box.text, detail: box.detail, role, confirm: 'OK', danger: false })
}

/** Asks; resolves to whether it was confirmed. Esc and the cancel button say no. */
export function confirmBox(box: {
  title: string
  text: string
  confirm?: string
  cancel?: string
  danger?: boolean
}): Promise<boolean> {
  const { title, text, confirm = 'OK', cancel = 'Cancel', danger = false } = box
  return open({ title, text, role: 'alertdialog', confirm, cancel, danger })
}

export function subscribeBoxes(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentBox(): Box | null {
  return boxes[0] ?? null
}
