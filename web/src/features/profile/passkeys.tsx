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

const nameDialog = lazyDialog(() => import('./passkey-name-dialog'), { title: () => 'Name of the passkey' })

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
        Passkeys
      </h3>
      {methods.passkeys.length === 0 && missing === null && (
        <p className="max-w-prose text-soft">
          None yet. A passkey signs you in with your fingerprint, your face or the PIN of your device: nothing
          to remember, and nothing that a fake page could ask you for.
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
          Add a passkey
        </Button>
      ) : (
        <p className="mt-4 text-sm text-soft">{missing}</p>
      )}
      {adding && (
        <nameDialog.Dialog
          title="Add a passkey"
          hint="So that you recognize it in this list, for example by its device."
          name={thisDevice()}
          action="Continue"
          busyAction="Waiting for your device…"
          onSave={async (name) => {
            await add.mutateAsync(name)
            toast('Passkey added')
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

  async function remove() {
    const sure = await showConfirm({
      title: 'Remove this passkey?',
      text: `You will no longer be able to sign in with ${stripBidiControls(name)}. Delete it on the device too.`,
      confirm: 'Remove',
      danger: true,
    })
    if (!sure) return
    try {
      await mutateAsync(id)
      toast('Passkey removed')
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
            Rename
          </Button>
          <Button
            variant="quiet"
            size="sm"
            busy={busy}
            disabled={last}
            aria-describedby={rowId}
            onClick={remove}
          >
            {busy ? 'Removing…' : 'Remove'}
          </Button>
        </>
      }
    >
      <p className="text-sm text-soft">
        Added on {formatDay(dayOfDate(new Date(createdAt)))},{' '}
        {lastUsedAt ? `last used ${ago(lastUsedAt)}` : 'not used yet'}
      </p>
      {last && <p className="text-sm">{lastMethodReason()}</p>}
      {renaming && (
        <nameDialog.Dialog
          title="Rename this passkey"
          name={name}
          action="Save"
          busyAction="Saving…"
          onSave={async (typed) => {
            await rename.mutateAsync({ id, name: typed })
            toast('Passkey renamed')
          }}
          onClose={() => setRenaming(false)}
        />
      )}
    </SignInMethodRow>
  )
}

const devices: readonly [pattern: RegExp, name: () => string][] = [
  [/iPhone/, () => 'My iPhone'],
  [/iPad/, () => 'My iPad'],
  [/Android/, () => 'My Android device'],
  [/Windows/, () => 'My Windows computer'],
  [/Mac OS/, () => 'My Mac'],
  [/CrOS/, () => 'My Chromebook'],
  [/Linux/, () => 'My Linux computer'],
]

/** A name to start from, by what the browser says of itself. */
function thisDevice(): string {
  return devices.find(([pattern]) => pattern.test(navigator.userAgent))?.[1]() ?? 'My device'
}
