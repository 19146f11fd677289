import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button, lazyDialog, failed, showConfirm, toast } from '@/components/ui'
import { ago } from '@/lib/ago'
import { dayOfDate, formatDay } from '@/lib/dates'
import { whyNoPasskeys } from '@/lib/passkey-support'
import { useSignIn } from '@/lib/site'
import { useRowFocus } from '@/lib/use-row-focus'
import { stripBidiControls } from '@/lib/text'
import { addPasskey, removePasskey, renamePasskey } from '@/entities/user/mutations'
import type { SignInMethods, Passkey } from '@/entities/user/queries'
import { isLastSignInMethod } from './last-sign-in-method'
import { SignInMethodRow, lastMethodReason } from './sign-in-method-row'

const nameDialog = lazyDialog(() => import('./passkey-name-dialog'), { title: () => t`Name of the passkey` })

/** The devices that sign in with a fingerprint, a face or a PIN instead of a password. */
export function Passkeys({ methods }: { methods: SignInMethods }) {
  const setting = useSignIn()
  const missing = whyNoPasskeys(setting)
  const [adding, setAdding] = useState(false)
  const add = useMutation(addPasskey)
  const heading = useRef<HTMLHeadingElement>(null)
  const { container, onFocus } = useRowFocus<HTMLDivElement>('li', heading)
  return (
    <div>
      <h3 ref={heading} tabIndex={-1} className="mb-4">
        {t`Passkeys`}
      </h3>
      {methods.passkeys.length === 0 && missing === null && (
        <p className="max-w-prose text-soft">
          <Trans>
            None yet. A passkey signs you in with your fingerprint, your face or the PIN of your device:
            nothing to remember, and nothing that a fake page could ask you for.
          </Trans>
        </p>
      )}
      <div ref={container} onFocus={onFocus}>
        <ul className="grid gap-3">
          {methods.passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey._id}
              passkey={passkey}
              last={isLastSignInMethod(methods, setting.providers, { passkey: passkey._id })}
            />
          ))}
        </ul>
      </div>
      {missing === null ? (
        <Button variant="quiet" className="mt-4" {...nameDialog.opener} onClick={() => setAdding(true)}>
          {t`Add a passkey`}
        </Button>
      ) : (
        <p className="mt-4 text-sm text-soft">{missing}</p>
      )}
      {adding && (
        <nameDialog.Dialog
          title={t`Add a passkey`}
          hint={t`So that you recognize it in this list, for example by its device.`}
          name={thisDevice()}
          action={t`Continue`}
          busyAction={t`Waiting for your device…`}
          onSave={async (name) => {
            await add.mutateAsync(name)
            toast(t`Passkey added`)
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  )
}

function PasskeyRow({ passkey, last }: { passkey: Passkey; last: boolean }) {
  const { _id: id, name, createdAt, lastUsedAt } = passkey
  const [renaming, setRenaming] = useState(false)
  const rename = useMutation(renamePasskey)
  const { mutateAsync, isPending: busy } = useMutation(removePasskey)
  const rowId = `passkey-${id}`
  const day = formatDay(dayOfDate(new Date(createdAt)))

  async function remove() {
    const sure = await showConfirm({
      title: t`Remove this passkey?`,
      text: t`You will no longer be able to sign in with ${{ passkey: stripBidiControls(name) }}. Delete it on the device too.`,
      confirm: t`Remove`,
      danger: true,
    })
    if (!sure) return
    try {
      await mutateAsync(id)
      toast(t`Passkey removed`)
    } catch (error) {
      void failed(error)
    }
  }

  return (
    <SignInMethodRow
      id={rowId}
      title={name}
      actions={
        <>
          <Button
            variant="quiet"
            size="sm"
            aria-describedby={rowId}
            {...nameDialog.opener}
            onClick={() => setRenaming(true)}
          >
            {t`Rename`}
          </Button>
          <Button
            variant="quiet"
            size="sm"
            busy={busy}
            disabled={last}
            aria-describedby={rowId}
            onClick={remove}
          >
            {busy ? t`Removing…` : t`Remove`}
          </Button>
        </>
      }
    >
      <p className="text-sm text-soft">
        {lastUsedAt
          ? t`Added on ${day}, last used ${{ ago: ago(lastUsedAt) }}`
          : t`Added on ${day}, not used yet`}
      </p>
      {last && <p className="text-sm">{lastMethodReason()}</p>}
      {renaming && (
        <nameDialog.Dialog
          title={t`Rename this passkey`}
          name={name}
          action={t`Save`}
          busyAction={t`Saving…`}
          onSave={async (typed) => {
            await rename.mutateAsync({ id, name: typed })
            toast(t`Passkey renamed`)
          }}
          onClose={() => setRenaming(false)}
        />
      )}
    </SignInMethodRow>
  )
}

const devices: readonly [pattern: RegExp, name: () => string][] = [
  [/iPhone/, () => t`My iPhone`],
  [/iPad/, () => t`My iPad`],
  [/Android/, () => t`My Android device`],
  [/Windows/, () => t`My Windows computer`],
  [/Mac OS/, () => t`My Mac`],
  [/CrOS/, () => t`My Chromebook`],
  [/Linux/, () => t`My Linux computer`],
]

/** A name to start from, by what the browser says of itself. */
function thisDevice(): string {
  return devices.find(([pattern]) => pattern.test(navigator.userAgent))?.[1]() ?? t`My device`
}
