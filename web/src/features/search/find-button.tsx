import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import { SearchIcon, toast } from '@/components/ui'
import { loadCode } from '@/lib/load-code'
import { explain } from '@/lib/problem'
import { withTexts } from '@/lib/texts'
import { whenIdle } from '@/lib/when-idle'

const fetchDialog = () => loadCode(withTexts(() => import('./find-dialog')))

const busy = 'dialog[open], :is(input, textarea, select, [contenteditable]):focus'

/** Opens the search of everything, as do `/` and Ctrl or ⌘ with K outside of text boxes and dialogs. */
export function FindButton() {
  const [FindDialog, setDialog] = useState<ComponentType<{ onClose: () => void }> | null>(null)
  async function open() {
    try {
      const { default: View } = await fetchDialog()
      setDialog(() => View)
    } catch (error) {
      toast(explain(error), 'error')
    }
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    const asks = ctrlKey || metaKey ? key === 'k' : key === '/'
    if (!asks || altKey || document.querySelector(busy)) return
    event.preventDefault()
    void open()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    // Keys that are pressed while the code is loading would be lost.
    const cancel = whenIdle(() => void fetchDialog().catch(() => undefined), 2_000)
    return () => {
      document.removeEventListener('keydown', listener)
      cancel()
    }
  }, [])
  return (
    <>
      <button
        type="button"
        aria-label={t`Find anything`}
        aria-keyshortcuts="/ Control+K"
        onClick={() => void open()}
        className="grid size-11 place-items-center rounded-full hover:bg-line/60"
      >
        <SearchIcon />
      </button>
      {FindDialog && <FindDialog onClose={() => setDialog(null)} />}
    </>
  )
}
