import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { Button, Dialog, DialogActions, TextInput, toast } from '@/components/ui'
import { copyText } from '@/lib/copy-text'

/** Shows the link of a new invitation. Only its hash is kept, so it is shown this once. */
export function InvitationLinkDialog({ url, onClose }: { url: string; onClose: () => void }) {
  const link = useRef<HTMLInputElement>(null)

  async function copy() {
    if (link.current && (await copyText(link.current))) toast(t`Link copied`)
  }

  return (
    <Dialog title={t`Your invitation`} onClose={onClose}>
      <TextInput
        ref={link}
        label={t`Link`}
        hint={t`Shown only now. Send it to the people you invite; each of them signs in and joins.`}
        readOnly
        value={url}
        onFocus={(event) => event.currentTarget.select()}
      />
      <DialogActions>
        <Button variant="quiet" onClick={onClose}>
          {t`Done`}
        </Button>
        <Button data-autofocus onClick={copy}>
          {t`Copy`}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
