import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { AppLink, Button, ErrorState, Loading } from '@/components/ui'
import { explain, isProblem } from '@/lib/problem'
import { unsubscribe } from '@/entities/notification/mutations'
import type { Kind } from '@/entities/notification/queries'
import { unsubscriptionQuery } from './unsubscription'
import { kindNames } from './kinds'

/** The page of an email's unsubscribe link. A button ends the emails, not the visit: mail clients open links by themselves. */
export function UnsubscribePage({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(unsubscriptionQuery(token))
  return (
    <div className="page max-w-2xl">
      <h1 tabIndex={-1}>{t`Unsubscribe`}</h1>
      {data ? (
        <Unsubscribe token={token} what={data.kind === 'digest' ? null : data.kind} />
      ) : isProblem(error, 'not-found') ? (
        <p role="alert" className="mt-4">
          <Trans>
            This link is incomplete or was changed on its way. Open it from the email again, or choose your
            notifications in your{' '}
            <AppLink to="/profile#notifications" className="link">
              profile
            </AppLink>
            .
          </Trans>
        </p>
      ) : error ? (
        <ErrorState message={explain(error)} onRetry={() => void refetch()} />
      ) : (
        <Loading />
      )}
    </div>
  )
}

function Unsubscribe({ token, what }: { token: string; what: Kind | null }) {
  const { mutate, isPending, isSuccess, error } = useMutation(unsubscribe)
  const done = useRef<HTMLParagraphElement>(null)
  // The button is gone: the result gets the focus.
  useEffect(() => {
    if (isSuccess) done.current?.focus()
  }, [isSuccess])
  return (
    <>
      <div role="status" className="mt-4">
        {isSuccess ? (
          <p ref={done} tabIndex={-1}>
            {what
              ? t`You will get no more emails about “${{ kind: kindNames[what]() }}”.`
              : t`You will get no more emails about notifications.`}{' '}
            {t`Notifications in the app stay as they are.`}
          </p>
        ) : (
          <p>
            {what
              ? t`Do you want to stop emails about “${{ kind: kindNames[what]() }}”?`
              : t`Do you want to stop emails about notifications?`}
          </p>
        )}
      </div>
      <div className="mt-8 flex flex-wrap items-center gap-4">
        {!isSuccess && (
          <Button busy={isPending} onClick={() => mutate(token)}>
            {isPending ? t`Unsubscribing…` : t`Unsubscribe`}
          </Button>
        )}
        <AppLink to="/profile#notifications" className="link">
          {t`Choose your notifications`}
        </AppLink>
      </div>
      {error && (
        <p role="alert" className="mt-4 font-semibold text-red">
          {explain(error)}
        </p>
      )}
    </>
  )
}
