import { t } from '@lingui/core/macro'
import { LinkButton } from '@/components/ui'

export function NotFound() {
  return (
    <div className="page grid min-h-[60vh] place-content-center justify-items-center gap-6 text-center">
      <img src="/art/empty/not-found.svg" alt="" width={240} height={180} className="max-w-full" />
      <h1 tabIndex={-1}>{t`Error !Page not found`}</h1>
      <p className="max-w-prose text-soft">
        {t`This sheet is not in the folder. It may have been deleted, or its address may be incomplete.`}
      </p>
      <LinkButton to="/">{t`Back to Home`}</LinkButton>
    </div>
  )
}
