import { t } from '@lingui/core/macro'
import { Button, toast } from '@/components/ui'

interface NotSentProps {
  reason: string
  /** The failed action, as a sentence. */
  failed: string
  /** The typed text. */
  text: string
}

/** Why what was typed can no longer be sent, and a way to keep it. */
export function NotSent({ reason, failed, text }: NotSentProps) {
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast(t`Copied`)
    } catch {
      toast(t`Copying is not possible here. Select the text and copy it.`, 'error')
    }
  }
  return (
    <div className="grid gap-2 rounded-control border border-red p-3 text-sm">
      <p className="font-semibold text-red">{reason}</p>
      <p>
        {failed} {t`What you wrote stays here until you close this.`}
      </p>
      {text && (
        <Button variant="quiet" size="sm" className="justify-self-start" onClick={copy}>
          {t`Copy what I wrote`}
        </Button>
      )}
    </div>
  )
}
