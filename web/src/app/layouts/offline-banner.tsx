import { t } from '@lingui/core/macro'
import { useOnline } from '@/lib/online'

/** Says so while there is no network. Lists mend themselves once it is back. */
export function OfflineBanner() {
  const online = useOnline()
  return (
    <div role="status">
      {!online && (
        <p className="bg-highlighter px-4 py-2 text-center text-sm font-semibold text-on-highlighter">
          {t`You are offline. What you type is kept, and this page continues when you are back online.`}
        </p>
      )}
    </div>
  )
}
