import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { OwnSubmission } from '@/entities/submission/queries'

/** The document link's fault and its remedy. */
export function LinkHint({ submission }: { submission: OwnSubmission }) {
  if (!submission.link) return null
  const { result, namesYou } = submission.link
  const remedy = submission.may?.change
    ? t`Change the link, so that it can be read.`
    : t`Withdraw the submission and hand it in again with the right link.`
  return (
    <div role="note" aria-label={t`Document link`} className="max-w-prose text-sm text-amber">
      {result === 'sign-in' && (
        <p>
          <Trans>
            Readers of this document have to sign in. Share it as &apos;Anyone with the link: Viewer&apos;, so
            that it can be read.
          </Trans>
        </p>
      )}
      {result === 'gone' && (
        <p>
          {t`The site says that there is no document at this link.`} {remedy}
        </p>
      )}
      {result === 'unknown' && !namesYou && (
        <p>{t`We could not check this link. Open it in a private window to be sure.`}</p>
      )}
      {namesYou && <p>{t`Your name or email is in this document: reviewers could see whose it is.`}</p>}
    </div>
  )
}
