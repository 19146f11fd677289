import { useLocation } from 'react-router'
import { hasUsersDraft } from '@/lib/drafts'
import { authState, safePath } from '@/lib/from-path'

/** The reason to sign in, by the page that the user came from. */
const wishes: readonly [path: RegExp, wish: () => string][] = [
  [/^\/create-assignment/, () => 'You need an account to create an assignment. Then you go straight on.'],
  [
    /^\/assignment\/update\//,
    () => 'You need an account to change your assignment. Then you go straight on.',
  ],
  [/^\/assignment\//, () => 'You need an account to take this assignment. Then you go straight on.'],
  [/^\/assignments/, () => 'You need an account to change your assignments. Then you go straight on.'],
  [
    /^\/pending-assignments/,
    () => 'You need an account to see what waits for a mark. Then you go straight on.',
  ],
  [
    /^\/attemded-assignments/,
    () => 'You need an account to see what you handed in. Then you go straight on.',
  ],
  [/^\/profile/, () => 'You need an account to see your profile. Then you go straight on.'],
  [/^\/auth\/verify/, () => 'You need an account to confirm your address. Then you go straight on.'],
]

const endedSentence = () =>
  hasUsersDraft()
    ? 'You were signed out. Log in again and go on where you were: what you typed is kept.'
    : 'You were signed out. Log in again and go on where you were.'

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
