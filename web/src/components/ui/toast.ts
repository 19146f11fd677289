import { t } from '@lingui/core/macro'

/** How long a toast is shown, in milliseconds. */
const shownFor = 5_000
const mostShown = 4
/** The distance to the header and to controls, and the height of a toast of two lines, in pixels. */
const [gap, twoLines] = [12, 72]

/** The list of toasts, made with the first one. It is a popover, so that it lies above an open dialog. */
let list: HTMLElement | undefined
let headerSize: ResizeObserver | undefined

/**
 * Shows a message for 5 s at the top right, below the header. A success is a status and an error an alert, so that
 * screen readers announce them as such. A text already shown starts anew, and a success removes earlier errors. The
 * clock stops while the pointer or the focus is on the message.
 */
export function toast(text: string, kind: 'success' | 'error' = 'success'): void {
  const toasts = showList()
  for (const earlier of toasts.querySelectorAll('.toast'))
    if (earlier.firstChild?.textContent === text || (kind === 'success' && earlier.role === 'alert'))
      earlier.remove()
  const message = document.createElement('div')
  message.className = 'toast'
  message.role = kind === 'error' ? 'alert' : 'status'
  const words = document.createElement('span')
  words.textContent = text
  const close = document.createElement('button')
  close.type = 'button'
  close.ariaLabel = t`Close`
  close.textContent = '×'
  message.append(words, close)
  toasts.append(message)
  while (toasts.childElementCount > mostShown) toasts.firstElementChild?.remove()

  const clock = message.animate(null, shownFor)
  clock.onfinish = () => message.remove()
  message.addEventListener('click', () => message.remove())
  for (const stop of ['pointerenter', 'focusin']) message.addEventListener(stop, () => clock.pause())
  for (const goOn of ['pointerleave', 'focusout']) message.addEventListener(goOn, () => clock.play())
}

/** Shows the list below the header and above what was opened since the last toast. */
function showList(): HTMLElement {
  const toasts = (list ??= Object.assign(document.createElement('div'), {
    popover: 'manual',
    className: 'toasts',
  }))
  document.body.append(toasts)
  if (toasts.matches(':popover-open')) toasts.hidePopover()
  toasts.showPopover()
  const header = document.querySelector('header')
  const position = () => {
    const below = Math.max(header?.getBoundingClientRect().bottom ?? 0, 0) + gap
    toasts.style.insetBlockStart = `${freeFrom(below, toasts.getBoundingClientRect())}px`
  }
  position()
  headerSize?.disconnect()
  headerSize = new ResizeObserver(position)
  if (header) headerSize.observe(header)
  return toasts
}

/** The first offset at or below `from` where a toast covers no control; `from` if the upper three fifths have none. */
function freeFrom(from: number, { left, right }: DOMRect): number {
  const controls = [...document.querySelectorAll('main :is(a, button, input, select)')]
    .map((control) => control.getBoundingClientRect())
    .filter((box) => box.width > 0 && box.right > left && box.left < right && box.bottom > from)
    .toSorted((a, b) => a.top - b.top)
  let top = from
  for (const box of controls) {
    if (box.top >= top + twoLines + gap) break
    top = Math.max(top, box.bottom + gap)
  }
  return top + twoLines < window.innerHeight * 0.6 ? top : from
}

/** Removes all toasts. */
export function clearToasts(): void {
  list?.replaceChildren()
}
