import { useHydrated } from '@/lib/use-hydrated'
import type { OwnSubmission } from './queries'

const problems: Record<string, string> = {
  'sign-in':
    "Whoever opens this document is asked to sign in. Share it as 'Anyone with the link: Viewer', so that it can be read.",
  gone: 'There is no document at this link. Change the link, so that it can be read.',
}

/** The document link's fault and its remedy. The first HTML has neither. */
export function LinkHint({ submission }: { submission: OwnSubmission }) {
  const hydrated = useHydrated()
  if (!hydrated || !submission.link) return null
  const { result, namesYou } = submission.link
  return (
    <div role="note" aria-label="Document link" className="max-w-prose text-sm text-amber">
      {problems[result] && <p>{problems[result]}</p>}
      {namesYou && <p>Your name or email is in this document: reviewers could see whose it is.</p>}
    </div>
  )
}
