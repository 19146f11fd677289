import { t } from '@lingui/core/macro'
import { useState, useSyncExternalStore } from 'react'
import { readDraft, writeDraft } from '@/lib/drafts'
import { embeddable } from '@/lib/embeddable'
import { Button } from './button'

const wide = '(width >= 64rem)'

function subscribe(onChange: () => void): () => void {
  const media = matchMedia(wide)
  media.addEventListener('change', onChange)
  return () => media.removeEventListener('change', onChange)
}

/** Whether there is room for a document beside a form. */
const useWide = () => useSyncExternalStore(subscribe, () => matchMedia(wide).matches)

/** The user's consent to load documents from their hosts, kept in this tab. */
const consent = 'documents here'

/**
 * A linked document, shown in the page where the window is wide and its host offers a preview; nothing otherwise. It
 * loads after a press, once per tab, because its owner may see that it is opened. The frame gets no referrer and,
 * where the browser can withhold them, none of the user's cookies.
 */
export function DocumentFrame({ link }: { link: string }) {
  const isWide = useWide()
  const [agreed, setAgreed] = useState(() => readDraft(consent, '', true) !== null)
  const source = embeddable(link)
  if (!isWide || !source) return null
  if (!agreed) {
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control border border-line p-4">
        <Button
          variant="quiet"
          size="sm"
          onClick={() => {
            writeDraft(consent, {}, '', true)
            setAgreed(true)
          }}
        >
          {t`Show document here`}
        </Button>
        <p className="min-w-0 grow basis-56 text-sm text-soft">
          {t`It is loaded from ${{ host: new URL(source).host }}, and its owner may see that it was opened. Later documents are then shown at once.`}
        </p>
      </div>
    )
  }
  return (
    <div className="grid gap-1.5">
      <iframe
        key={source}
        src={source}
        title={t`Document`}
        // oxlint-disable-next-line react/iframe-missing-sandbox -- the document is of another origin, so it cannot lift its sandbox
        sandbox="allow-scripts allow-same-origin allow-popups"
        referrerPolicy="no-referrer"
        {...{ credentialless: true }}
        className="h-[max(24rem,100dvh-19rem)] w-full rounded-control border border-line bg-white"
      />
      <p className="text-sm text-soft">
        {t`Nothing to see? Its host may not allow it to be shown here: open it with View Document.`}
      </p>
    </div>
  )
}
