import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { AppLink, Button, Card, ErrorState, LinkButton, Loading, RenderedText, toast } from '@/components/ui'
import { explain, isProblem } from '@/lib/problem'
import { secretIn } from '@/lib/secret'
import { useUser } from '@/lib/session'
import { useAccess } from '@/lib/site'
import { invitedQuery, joinByLink } from '@/entities/circle/joining'
import { MemberCount } from '@/entities/circle/member-count'

/**
 * Where the link of an invitation leads. Its secret follows the # of the address, which browsers send to no server. A
 * visitor signs in first: only users learn which circle it is.
 */
export function JoinPage() {
  const { hash } = useLocation()
  const user = useUser()
  const secret = secretIn(hash)
  return (
    <div className="page grid min-h-[60vh] content-center justify-items-center text-center">
      {!secret && <Broken />}
      {secret && !user && <SignInFirst hash={hash} />}
      {secret && user && <Invited secret={secret} />}
    </div>
  )
}

function Sheet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="grid w-full max-w-xl justify-items-center gap-4 p-6 sm:p-10">
      <img src="/art/empty/circles.svg" alt="" width={240} height={180} className="max-w-full" />
      <h1 tabIndex={-1} dir="auto" className="text-2xl wrap-anywhere">
        {title}
      </h1>
      {children}
    </Card>
  )
}

function Broken() {
  const user = useUser()
  return (
    <Sheet title={t`This link does not work`}>
      <p className="text-balance text-soft">
        <Trans>
          It has expired, was used up or revoked, or is for another email address. Ask the person who sent it
          to you for a new one.
        </Trans>
      </p>
      {user && (
        <>
          <p className="text-balance text-soft">
            <Trans>
              Some links need a confirmed email address. If you have just registered, open the email that we
              sent you first. You can also confirm your address in your{' '}
              <AppLink to="/profile" className="link">
                profile
              </AppLink>
              .
            </Trans>
          </p>
          <LinkButton to="/circles" variant="quiet">
            {t`Your circles`}
          </LinkButton>
        </>
      )}
    </Sheet>
  )
}

function SignInFirst({ hash }: { hash: string }) {
  const state = { from: `/join${hash}` }
  const { registration } = useAccess()
  const opens = registration !== 'closed'
  return (
    <Sheet title={t`You are invited to a circle`}>
      <p className="text-soft">
        {t`Sign in to see which one.`}
        {registration === 'invited' && ` ${t`With this link you can also register.`}`}
        {!opens && ` ${t`Registration is closed at the moment.`}`}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <LinkButton to="/auth/login" state={state}>
          {t`Sign in`}
        </LinkButton>
        {opens && (
          <LinkButton to="/auth/register" state={state} variant="quiet">
            {t`Register`}
          </LinkButton>
        )}
      </div>
    </Sheet>
  )
}

function Invited({ secret }: { secret: string }) {
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(invitedQuery(secret))
  const joining = useMutation(joinByLink)
  if (data === null || isProblem(joining.error, 'not-found')) return <Broken />
  if (!data) {
    return error ? (
      <ErrorState message={explain(error)} onRetry={() => void refetch()} />
    ) : (
      <Loading label={t`Loading the invitation`} />
    )
  }
  const { circleId, name, html, members, member } = data
  // A newcomer has joined by registering with the link.
  if (member) return <Navigate to={`/circle/${circleId}`} replace />

  async function join() {
    const id = await joining.mutateAsync(secret).catch(() => null)
    if (id === null) return
    await navigate(`/circle/${id}`, { replace: true })
    toast(t`Welcome to ${name}`)
  }

  return (
    <Sheet title={name}>
      {/* An invitation by a roster tells no more than the name. */}
      {members > 0 && (
        <p>
          <MemberCount members={members} />
        </p>
      )}
      {html && <RenderedText html={html} className="text-start text-soft" />}
      <Button busy={joining.isPending} onClick={join}>
        {t`Join this circle`}
      </Button>
      {joining.error && (
        <p role="alert" className="font-semibold text-red">
          {explain(joining.error)}
        </p>
      )}
    </Sheet>
  )
}
