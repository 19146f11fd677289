import { useState, type ClipboardEvent, type ComponentProps } from 'react'
import { lazyPart } from '@/lib/lazy-part'
import { withTexts } from '@/lib/texts'
import type { Pasted } from './code-offer'

const CodeOffer = lazyPart(
  withTexts(() => import('./code-offer')),
  () => null,
)

/** A box for Markdown. Where indented lines are pasted into it, a button under it makes them a code block. */
export function MarkdownArea(props: ComponentProps<'textarea'>) {
  const [pasted, setPasted] = useState<Pasted>()
  const onPaste = ({ clipboardData, currentTarget: box }: ClipboardEvent<HTMLTextAreaElement>) => {
    const text = clipboardData.getData('text/plain').replaceAll('\r\n', '\n')
    const before = box.value.slice(0, box.selectionStart)
    setPasted(text.includes('\n') ? { box, text, before } : undefined)
  }
  return (
    <>
      <textarea {...props} onPaste={onPaste} />
      {pasted && <CodeOffer key={pasted.before} pasted={pasted} onClose={() => setPasted(undefined)} />}
    </>
  )
}
