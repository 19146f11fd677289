import { t } from '@lingui/core/macro'
import { useLocation } from 'react-router'
import { hasUsersDraft } from '@/lib/drafts'
import { authState, safePath } from '@/lib/from-path'

/** The reason to sign in, by the page that the user came from. */
const wishes: readonly [path: RegExp, wish: () => string][] = [
  [/^\/create-assignment/, () => t`You need an account to create an assignment. Then you can continue.`],
  [/^\/assignment\/update\//, () => t`You need an account to change your assignment. Then you can continue.`],
  [/^\/assignment\//, () => t`You need an account to take this assignment. Then you can continue.`],
  [/^\/assignments/, () => t`You need an account to change your assignments. Then you can continue.`],
  [
    /^\/pending-assignments/,
    () => t`You need an account to see what is waiting for a mark. Then you can continue.`,
  ],
  [/^\/attemded-assignments/, () => t`You need an account to see what you handed in. Then you can continue.`],
  [/^\/profile/, () => t`You need an account to see your profile. Then you can continue.`],
  [/^\/auth\/verify/, () => t`You need an account to confirm your address. Then you can continue.`],
]

const endedSentence = () =>
  hasUsersDraft()
    ? t`You were signed out. Sign in again to continue where you were: what you typed is kept.`
    : t`You were signed out. Sign in again to continue where you were.`

/** Tells a user whom another page sent here why they have to sign in. */
export function WhyHere() {
  const { from, ended } = authState(useLocation())
  const wish = wishes.find(([path]) => path.test(safePath(from)))?.[1]
  if (!ended && !wish) return null
  return (
    <p className="mt-6 rounded-control border-s-4 border-highlighter bg-paper px-4 py-3 text-sm">
      {ended ? endedSentence() : wish?.()}
    </p>
  )
}
