import { createRoot } from 'react-dom/client'
import { ToastContainer, toast } from 'react-toastify/unstyled'
import 'react-toastify/ReactToastify.css'
import './toaster.css'

const host = document.createElement('div')
document.body.append(host)
createRoot(host).render(
  <ToastContainer position="top-right" autoClose={5000} closeOnClick limit={4} icon={false} theme="light" />,
)

/** Keeps toasts below the header, the open menu included. Set here and not on the page, whose every style would be asked anew. */
const headerSize = new ResizeObserver(stayBelowHeader)
let watched: Element | null = null

function stayBelowHeader() {
  const header = document.querySelector('header')
  if (header) host.style.setProperty('--header-height', `${header.offsetHeight}px`)
  if (header === watched) return
  // Another layout brought its own.
  headerSize.disconnect()
  if (header) headerSize.observe(header)
  watched = header
}

/**
 * Success is a status, an error an alert, so that screen readers announce them as such. What is said
 * already is not said twice, and a success takes the errors before it away.
 */
export function show(text: string, kind: 'success' | 'error'): void {
  stayBelowHeader()
  if (kind === 'success') toast.dismiss()
  toast(text, { toastId: text, type: kind, role: kind === 'error' ? 'alert' : 'status' })
}
