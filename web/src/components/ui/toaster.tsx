import { createRoot } from 'react-dom/client'
import { ToastContainer, toast } from 'react-toastify/unstyled'
import 'react-toastify/ReactToastify.css'
import './toaster.css'

const host = document.createElement('div')
document.body.append(host)
createRoot(host).render(
  <ToastContainer position="top-right" autoClose={5000} closeOnClick limit={4} icon={false} theme="light" />,
)

/** Success is a status, an error an alert, so that screen readers announce them as such. */
export function show(text: string, kind: 'success' | 'error'): void {
  toast(text, { type: kind, role: kind === 'error' ? 'alert' : 'status' })
}
