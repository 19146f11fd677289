import { createRoot } from 'react-dom/client'
import { ToastContainer, toast } from 'react-toastify/unstyled'
import 'react-toastify/ReactToastify.css'
import './toaster.css'

const host = document.createElement('div')
document.body.append(host)
createRoot(host).render(
  <ToastContainer position="top-right" autoClose={5000} closeOnClick limit={4} icon={false} theme="light" />,
)

/** Keeps toasts below the header, the open menu included, and off the controls at the top of the page. */
const headerSize = new ResizeObserver(place)
let watched: Element | null = null
const gap = 12
/** As high as a toast of two lines, and as wide as toaster.css has it. */
const [height, width] = [72, 352]

function place() {
  const header = document.querySelector('header')
  // Set here and not on the page, where it would recompute every style.
  host.style.setProperty('--toasts-from', `${freeFrom((header?.offsetHeight ?? 0) + gap)}px`)
  if (header === watched) return
  // Another layout brought its own.
  headerSize.disconnect()
  if (header) headerSize.observe(header)
  watched = header
}

/** The first offset at or below `from` where no control is covered; `from` if the upper half has none. */
function freeFrom(from: number): number {
  const start = Math.max(window.innerWidth - width - 16, 0)
  const controls = [...document.querySelectorAll('main :is(a, button, input, select)')]
    .map((control) => control.getBoundingClientRect())
    .filter((box) => box.width > 0 && box.right > start && box.bottom > from)
    .toSorted((a, b) => a.top - b.top)
  let top = from
  for (const box of controls) {
    if (box.top >= top + height + gap) break
    top = Math.max(top, box.bottom + gap)
  }
  return top + height < window.innerHeight / 2 ? top : from
}

/**
 * A success is a status and an error an alert, so that screen readers announce them as such. A text already shown is
 * not repeated, and a success removes earlier errors.
 */
export function show(text: string, kind: 'success' | 'error'): void {
  place()
  if (kind === 'success') {
    // Not everything: a toast that leaves keeps its name, and the same words would not be shown again.
    for (const error of errors) toast.dismiss(error)
    errors.clear()
  } else errors.add(text)
  toast(text, { toastId: text, type: kind, role: kind === 'error' ? 'alert' : 'status' })
}

/** The texts shown since the last success. */
const errors = new Set<string>()
