import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { Button } from './button'

export interface Pasted {
  box: HTMLTextAreaElement
  text: string
  /** What stands in front of it. */
  before: string
}

interface CodeOfferProps {
  pasted: Pasted
  onClose: () => void
}

/** Offers to make pasted lines a code block, for as long as they stand as they were pasted. */
export default function CodeOffer({ pasted, onClose }: CodeOfferProps) {
  const { box, text, before } = pasted
  const offered = isCode(text) && !isFenced(before)
  useEffect(() => {
    const look = () => {
      if (!box.value.startsWith(before + text)) onClose()
    }
    // After each keystroke, when the form has heard of it, and at times for what sets the box without one.
    document.addEventListener('input', look)
    const timer = setInterval(look, 1_000)
    return () => {
      document.removeEventListener('input', look)
      clearInterval(timer)
    }
  })

  /** As if typed, so that it can be undone and the form hears of it. */
  function makeBlock() {
    onClose()
    const end = before.length + text.length
    box.focus()
    box.setSelectionRange(before.length, end)
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else keeps what can be undone
    document.execCommand('insertText', false, blockOf(text, before, box.value.slice(end)))
  }

  return (
    offered && (
      <p role="status" className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        {t`A code block keeps these lines as they are.`}
        <Button variant="quiet" size="sm" onClick={makeBlock}>
          {t`Make it a code block`}
        </Button>
      </p>
    )
  )
}

/** Reports whether a text has several lines of which one is indented and begins no item of a list. */
const isCode = (text: string) =>
  /\n./.test(text.trim()) && /^(?: {2,}|\t)\s*(?![-*+>\s]|\d+[.)]\s)/m.test(text) && !text.includes('```')

/** Reports whether a text ends within a code block. */
const isFenced = (text: string) => (text.match(/^ {0,3}(?:```|~~~)/gm) ?? []).length % 2 === 1

function blockOf(text: string, before: string, after: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const start = before === '' || before.endsWith('\n') ? '' : '\n'
  const end = after.startsWith('\n') ? '' : '\n'
  return `${start}${fence}\n${text.replace(/\n+$/, '')}\n${fence}${end}`
}
