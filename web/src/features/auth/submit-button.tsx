import { Button } from '@/components/ui'
import { useHydrated } from '@/lib/use-hydrated'

interface SubmitButtonProps {
  action: string
  busyAction: string
  busy: boolean
}

/**
 * Sends an auth form. Until the script has taken over the prerendered page, the button is off, without
 * looking so: the browser would put the password into the address.
 */
export function SubmitButton({ action, busyAction, busy }: SubmitButtonProps) {
  const hydrated = useHydrated()
  return (
    <Button
      type="submit"
      busy={busy}
      disabled={!hydrated}
      className={hydrated ? undefined : 'disabled:opacity-100'}
    >
      {busy ? busyAction : action}
    </Button>
  )
}
