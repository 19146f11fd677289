import { useRef, useState, type ClipboardEvent, type ComponentProps } from 'react'
import { Button } from './button'

interface Pasted {
  text: string
  at: number
}

/** A box for Markdown. Where indented lines are pasted into it, a button under it makes them a code block. */
export function MarkdownArea(props: ComponentProps<'textarea'>) {
  const [pasted, setPasted] = useState<Pasted>()
  const box = useRef<HTMLTextAreaElement>(null)

  function onPaste({ clipboardData, currentTarget }: ClipboardEvent<HTMLTextAreaElement>) {
    box.current = currentTarget
    const text = clipboardData.getData('text/plain').replaceAll(/\r\n?/g, '\n')
    const at = currentTarget.selectionStart
    setPasted(isCode(text) && !isFenced(currentTarget.value.slice(0, at)) ? { text, at } : undefined)
  }

  /** As if typed, so that it can be undone and the form hears of it. */
  function makeBlock({ text, at }: Pasted) {
    const field = box.current
    setPasted(undefined)
    if (!field?.value.startsWith(text, at)) return
    field.focus()
    field.setSelectionRange(at, at + text.length)
    document.execCommand(
      'insertText',
      false,
      blockOf(text, field.value.slice(0, at), field.value.slice(at + text.length)),
    )
  }

  const offered =
    pasted && (typeof props.value !== 'string' || props.value.startsWith(pasted.text, pasted.at))
  return (
    <>
      <textarea
        {...props}
        onPaste={onPaste}
        onInput={({ currentTarget: { value } }) =>
          setPasted((before) => (before && value.startsWith(before.text, before.at) ? before : undefined))
        }
      />
      {offered && (
        <p role="status" className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          A code block keeps these lines as they are.
          <Button variant="quiet" size="sm" onClick={() => makeBlock(pasted)}>
            Make it a code block
          </Button>
        </p>
      )}
    </>
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
  const [start, end] = [
    before === '' || before.endsWith('\n') ? '' : '\n',
    after.startsWith('\n') ? '' : '\n',
  ]
  return `${start}${fence}\n${text.replace(/\n+$/, '')}\n${fence}${end}`
}
