import { t } from '@lingui/core/macro'
import { AppLink } from '@/components/ui'

/** Says that the page shows an assignment as a student sees it, and leads back. */
export function AsStudentBar({ id }: { id: string }) {
  return (
    <div
      role="status"
      className="sticky top-0 z-2 flex flex-wrap items-center justify-center gap-x-4 gap-y-1 border-b border-line bg-highlighter px-4 py-2 text-on-highlighter"
    >
      <p className="font-semibold">{t`You see this assignment as a student does.`}</p>
      <AppLink to={`/assignment/${id}`} className="font-semibold underline underline-offset-4">
        {t`Back to your view`}
      </AppLink>
    </div>
  )
}
