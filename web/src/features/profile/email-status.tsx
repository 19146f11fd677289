import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Badge, Button, failed } from '@/components/ui'
import { requestVerification } from '@/entities/user/mutations'
import { accountQuery } from '@/entities/user/queries'

/** Shows whether the address is verified, and sends the email that verifies it. */
export function EmailStatus() {
  const { data: account } = useQuery(accountQuery)
  const { mutate, isPending, isSuccess } = useMutation({
    ...requestVerification,
    onError: (error) => void failed(error),
  })
  const sent = useRef<HTMLSpanElement>(null)
  // The button is gone: focus moves to the text that replaces it.
  useEffect(() => {
    if (isSuccess) sent.current?.focus()
  }, [isSuccess])
  if (!account) return null
  if (account.emailVerified) return <Badge tone="success">{t`Verified`}</Badge>
  return (
    <div role="status" className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Badge tone="warning">{t`Not verified`}</Badge>
      <span className="text-soft">
        {t`Follow the link in our email. Until then, you get no marks, replies or due dates by email.`}
      </span>
      {isSuccess ? (
        <span ref={sent} tabIndex={-1}>
          {t`The email is on its way.`}
        </span>
      ) : (
        <Button variant="quiet" size="sm" busy={isPending} onClick={() => mutate()}>
          {t`Send the verification email`}
        </Button>
      )}
    </div>
  )
}
