import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button, Email, FormFailure, failed, showConfirm, toast, type Failure } from '@/components/ui'
import { dayOfDate, formatDay } from '@/lib/dates'
import { usePopup } from '@/lib/popup/use-popup'
import { invalidate } from '@/lib/query'
import { useSignIn } from '@/lib/site'
import { useRowFocus } from '@/lib/use-row-focus'
import { linkTicket, unlinkProvider } from '@/entities/user/mutations'
import { signInMethodsQuery, type LinkedProvider, type SignInMethods } from '@/entities/user/queries'
import { isLastSignInMethod } from './last-sign-in-method'
import { SignInMethodRow, lastMethodReason } from './sign-in-method-row'

/** Accounts elsewhere that sign in to this one, and those that could. */
export function LinkedProviders({ methods }: { methods: SignInMethods }) {
  const { providers: configured } = useSignIn()
  const client = useQueryClient()
  const [failure, setFailure] = useState<Failure | null>(null)
  const { start, waitingFor } = usePopup(
    (outcome, { label }) => {
      // After a failure too: the result of a closed window may have been lost.
      invalidate(client, signInMethodsQuery.queryKey)
      const isError = outcome.status === 'error'
      setFailure(isError ? { code: outcome.code, sentence: outcome.message } : null)
      if (!isError) toast(t`${label} is linked`)
    },
    ({ id }) => linkTicket(id),
  )
  const heading = useRef<HTMLHeadingElement>(null)
  const { container, onFocus } = useRowFocus<HTMLDivElement>('li', heading)
  const free = configured.filter(({ id }) => methods.providers.every((linked) => linked.id !== id))
  const waitingName = <bdi>{waitingFor?.label}</bdi>
  return (
    <div>
      <h3 ref={heading} tabIndex={-1} className="mb-4">
        {t`Accounts elsewhere`}
      </h3>
      {methods.providers.length === 0 && (
        <p className="text-soft">
          {configured.length > 0
            ? t`None yet. Link one, and sign in with it next time.`
            : t`This server is not set up for sign-in with Google or another account.`}
        </p>
      )}
      <div ref={container} onFocus={onFocus}>
        <ul className="grid gap-3">
          {methods.providers.map((provider) => (
            <ProviderRow
              key={provider.id}
              provider={provider}
              last={isLastSignInMethod(methods, configured, { provider: provider.id })}
              known={configured.some(({ id }) => id === provider.id)}
            />
          ))}
        </ul>
      </div>
      {free.length > 0 && (
        <div className="mt-4 flex flex-wrap gap-3">
          {free.map((provider) => (
            <Button
              key={provider.id}
              variant="quiet"
              onClick={() => {
                setFailure(null)
                start(provider)
              }}
            >
              {t`Link ${{ provider: provider.label }}`}
            </Button>
          ))}
        </div>
      )}
      <div role="status" className="mt-3 text-sm text-soft empty:hidden">
        {waitingFor && (
          <p>
            <Trans>Continue in the {waitingName} window.</Trans>
          </p>
        )}
      </div>
      <div className="mt-3">
        <FormFailure failure={failure} />
      </div>
    </div>
  )
}

interface ProviderRowProps {
  provider: LinkedProvider
  last: boolean
  /** The server is still set up for it. */
  known: boolean
}

function ProviderRow({ provider: { id, label, email, linkedAt }, last, known }: ProviderRowProps) {
  const { mutateAsync, isPending: busy } = useMutation(unlinkProvider)
  const rowId = `provider-${id}`
  const day = formatDay(dayOfDate(new Date(linkedAt)))

  async function unlink() {
    const sure = await showConfirm({
      title: t`Unlink ${label}?`,
      text: t`You will no longer be able to sign in with ${label}. You can link it again at any time.`,
      confirm: t`Unlink`,
      danger: true,
    })
    if (!sure) return
    try {
      await mutateAsync(id)
      toast(t`${label} is unlinked`)
    } catch (error) {
      void failed(error)
    }
  }

  return (
    <SignInMethodRow
      id={rowId}
      title={label}
      actions={
        <Button
          variant="quiet"
          size="sm"
          busy={busy}
          disabled={last}
          aria-describedby={rowId}
          onClick={unlink}
        >
          {busy ? t`Unlinking…` : t`Unlink`}
        </Button>
      }
    >
      <p className="text-sm text-soft">
        <Trans>
          <Email address={email} />, linked on {day}
        </Trans>
      </p>
      {!known && <p className="text-sm text-soft">{t`This server is no longer set up for it.`}</p>}
      {last && <p className="text-sm">{lastMethodReason()}</p>}
    </SignInMethodRow>
  )
}
