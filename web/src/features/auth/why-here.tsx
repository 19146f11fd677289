import { useLocation } from 'react-router'
import { hasUsersDraft } from '@/lib/drafts'
import { authState, safePath } from '@/lib/from-path'

/** The reason to sign in, by the page that the user came from. */
const wishes: readonly [path: RegExp, wish: string][] = [
  [/^\/create-assignment/, 'to create an assignment'],
  [/^\/assignment\/update\//, 'to change your assignment'],
  [/^\/assignment\//, 'to take this assignment'],
  [/^\/assignments/, 'to change your assignments'],
  [/^\/pending-assignments/, 'to see what waits for a mark'],
  [/^\/attemded-assignments/, 'to see what you handed in'],
  [/^\/profile/, 'to see your profile'],
  [/^\/auth\/verify/, 'to confirm your address'],
]

/** Tells a user whom another page sent here why they have to sign in. */
export function WhyHere() {
  const { from, ended } = authState(useLocation())
  const wish = wishes.find(([path]) => path.test(safePath(from)))?.[1]
  if (!ended && !wish) return null
  return (
    <p className="mt-6 rounded-control border-s-4 border-highlighter bg-paper px-4 py-3 text-sm">
      {ended
        ? `You were signed out. Log in again and go on where you were${hasUsersDraft() ? ': what you typed is kept' : ''}.`
        : `You need an account ${wish}. Then you go straight on.`}
    </p>
  )
}
