import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { Button, FormFailure, MarkdownArea, controlClass } from '@/components/ui'
import { WritePanels, WriteTabs, type WriteTab } from '@/entities/preview/write-preview'
import { cx } from '@/lib/cx'
import { writeDraft } from '@/lib/drafts'
import { explain, isProblem } from '@/lib/problem'
import { lengthOf } from '@/lib/text'
import { useGuarded } from '@/lib/use-guarded'
import { useTextDraft } from '@/lib/use-text-draft'
import { createComment, editComment } from '@/entities/comment/mutations'
import { rewritten, shownOf } from './mentions'
import { useMentions } from './use-mentions'

interface PostedComment {
  id: string
  /** The page of the discussion that it is on, where that is known. */
  page?: number | undefined
  threadId?: string | undefined
}

/** `writes`: the user continues to write in the box, which keeps the focus and the text. */
export type OnPosted = (comment: PostedComment, writes: boolean) => void

interface ComposerProps {
  assignmentId: string
  /** The thread to reply to. */
  parentId?: string
  /** The comment to change. */
  edits?: { id: string; text: string }
  label: string
  submit: string
  /** The name of its draft. */
  draft: string
  takesFocus?: boolean
  onCancel?: () => void
  onPosted: OnPosted
}

const longest = 5_000

/** A box for Markdown with a preview that the server renders. Its text is a draft until it is sent. */
export function Composer(props: ComposerProps) {
  const {
    assignmentId,
    parentId,
    edits,
    label,
    submit,
    draft,
    takesFocus = false,
    onCancel,
    onPosted,
  } = props
  const id = useId()
  const name = `comment ${assignmentId} ${draft}`
  const original = edits?.text ?? ''
  const [text, setText] = useTextDraft(name, original)
  const [tab, setTab] = useState<WriteTab>('write')
  const [failure, setFailure] = useState('')
  const box = useRef<HTMLTextAreaElement>(null)
  const create = useMutation(createComment)
  const edit = useMutation(editComment)
  const busy = create.isPending || edit.isPending

  const latest = useRef(text)
  useLayoutEffect(() => {
    latest.current = text
  }, [text])

  useEffect(() => {
    if (takesFocus) box.current?.focus()
  }, [takesFocus])

  function type(next: string) {
    setText(next)
    setFailure('')
  }
  const shown = useMemo(() => shownOf(text), [text])
  const write = (next: string) => type(rewritten(text, next))
  const mentions = useMentions(assignmentId, box, shown.mentions, write)

  const send = useGuarded(async () => {
    const fault = faultOf(text)
    if (fault) {
      setFailure(fault)
      setTab('write')
      requestAnimationFrame(() => box.current?.focus())
      return
    }
    try {
      let posted: PostedComment
      if (edits) {
        await edit.mutateAsync({ assignmentId, id: edits.id, text })
        posted = edits
      } else {
        posted = await create.mutateAsync({ assignmentId, text, ...(parentId && { parentId }) })
      }
      const rest = edits ? changedSince(text, latest.current) : addedSince(text, latest.current)
      setText(rest || original)
      if (!rest) setTab('write')
      else if (edits) writeDraft(name, { text: rest }, text)
      onPosted(posted, rest !== '')
    } catch (error) {
      const field = isProblem(error) ? error.fields[0]?.message : undefined
      setFailure(field ?? explain(error))
    }
  })

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send()
    } else mentions.onKeyDown(event)
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-end justify-between gap-2">
        <label htmlFor={`${id}-box`} className="font-semibold">
          {label}
        </label>
        <WriteTabs id={id} tab={tab} label={label} onTab={setTab} />
      </div>
      <WritePanels id={id} tab={tab} of="comment" text={text}>
        <MarkdownArea
          ref={box}
          id={`${id}-box`}
          rows={3}
          dir="auto"
          value={shown.text}
          aria-describedby={`${id}-hint`}
          aria-invalid={failure ? true : undefined}
          {...mentions.wiring}
          onChange={({ target }) => write(target.value)}
          onKeyDown={onKeyDown}
          onBlur={mentions.close}
          className={cx(controlClass, 'field-sizing-content max-h-96 min-h-24 resize-y leading-normal')}
        />
        {mentions.list}
      </WritePanels>
      <FormFailure failure={failure ? { sentence: failure } : null} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p id={`${id}-hint`} className="text-sm text-soft">
          {t`Markdown. Type @ to mention someone here.`}
        </p>
        <div className="flex gap-2">
          {onCancel && (
            <Button variant="quiet" size="sm" onClick={onCancel}>
              {t`Cancel`}
            </Button>
          )}
          <Button size="sm" busy={busy} onClick={send}>
            {submit}
          </Button>
        </div>
      </div>
    </div>
  )
}

/** The text that the user has added since sending; all of it where the user changed the sent text. */
const addedSince = (sent: string, now: string): string =>
  now.startsWith(sent) ? now.slice(sent.length).trimStart() : now

/** The whole text where the user has changed it since it was sent; empty where not. */
const changedSince = (sent: string, now: string): string => (now === sent ? '' : now)

/** Why a text cannot be sent; empty where it can. */
function faultOf(text: string): string {
  const length = lengthOf(text.trim())
  if (length === 0) return t`Write something first.`
  if (length > longest)
    return t`At most ${{ most: longest.toLocaleString('en') }} characters; this has ${{ length: length.toLocaleString('en') }}.`
  return ''
}
