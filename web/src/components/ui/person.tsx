import { t } from '@lingui/core/macro'
import { Avatar } from './avatar'
import { Email } from './email'

interface PersonProps {
  /** If unknown, the address is shown instead. */
  name: string | undefined
  /** In a circle only organizers see addresses. */
  email: string | null
  photoURL: string | null | undefined
}

/** A user's photo and name, with the address below. */
export function Person({ name, email, photoURL }: PersonProps) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      {/* The name is beside it. */}
      <span aria-hidden="true" className="flex shrink-0">
        <Avatar name={name || email || t`Unknown`} photoURL={photoURL} />
      </span>
      <span className="min-w-0 leading-snug">
        {name ? (
          <>
            <span className="block font-semibold wrap-anywhere">
              <bdi>{name}</bdi>
            </span>
            {email && (
              <span className="text-sm text-soft">
                <Email address={email} />
              </span>
            )}
          </>
        ) : (
          <Email address={email || t`Unknown`} />
        )}
      </span>
    </span>
  )
}
