import { toast } from '@/components/ui'
import { stripBidiControls } from '@/lib/text'

/** The specification's pause, so that the greeting shows on the page arrived at. */
const delayMs = 300

export function greet(text: string): void {
  setTimeout(() => toast(stripBidiControls(text)), delayMs)
}
