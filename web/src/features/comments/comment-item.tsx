import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Avatar, Button, Moment, RenderedText, showConfirm, toast } from '@/components/ui'
import { Report } from '@/entities/report/report'
import { explain } from '@/lib/problem'
import { useUser } from '@/lib/session'
import { Composer } from './composer'
import { deleteComment } from '@/entities/comment/mutations'
import { Reactions } from './reactions'
import { wholeQuery, type Comment } from '@/entities/comment/queries'

interface CommentItemProps {
  assignmentId: string
  comment: Comment
  /** The reader may delete other users' comments. */
  moderates: boolean
  /** Whether the user may write here. */
  open: boolean
  onReply: () => void
}

function Gone() {
  return <p className="text-soft">{t`This comment was deleted.`}</p>
}

/** A comment with its author and time, and the reader's actions. */
export function CommentItem({ assignmentId, comment, moderates, open, onReply }: CommentItemProps) {
  const { _id: id, authorName, authorPhoto, createdAt, editedAt, deleted } = comment
  const [opened, setOpened] = useState(false)
  const { data: whole, error, isFetching } = useQuery({ ...wholeQuery(comment), enabled: opened })
  const { html, text, partial } = whole ?? comment
  const [editing, setEditing] = useState(false)
  const focus = () => document.getElementById(`comment-${id}`)?.focus()
  return (
    <article
      id={`comment-${id}`}
      tabIndex={-1}
      aria-labelledby={`by-${id}`}
      className="scroll-mt-4 rounded-control"
    >
      {deleted ? (
        <span id={`by-${id}`}>
          <Gone />
        </span>
      ) : (
        <>
          <div id={`by-${id}`} className="flex flex-wrap items-center gap-x-2 text-sm">
            <span aria-hidden="true" className="flex">
              <Avatar name={authorName || t`Anonymous`} photoURL={authorPhoto} size={28} />
            </span>
            <bdi className="font-semibold wrap-anywhere">{authorName}</bdi>
            <span className="text-soft">
              <Moment instant={createdAt} />
              {editedAt && ` · ${t`edited`}`}
            </span>
          </div>
          {editing ? (
            <div className="mt-2">
              <Composer
                assignmentId={assignmentId}
                edits={{ id, text: text ?? '' }}
                label={t`Edit comment`}
                submit={t`Save`}
                draft={`edit ${id}`}
                takesFocus
                onCancel={() => {
                  setEditing(false)
                  focus()
                }}
                onPosted={(_comment, writes) => {
                  if (writes) return
                  setEditing(false)
                  focus()
                }}
              />
            </div>
          ) : (
            <>
              {partial ? (
                <div className="mt-1">
                  <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
                    {text}
                  </p>
                  {error && (
                    <p role="alert" className="text-sm">
                      {explain(error)}
                    </p>
                  )}
                  <Button
                    variant="plain"
                    size="sm"
                    busy={isFetching}
                    aria-describedby={`by-${id}`}
                    onClick={() => setOpened(true)}
                  >
                    {t`Show all`}
                  </Button>
                </div>
              ) : (
                <RenderedText html={html ?? ''} className="mt-1" />
              )}
              <Actions
                assignmentId={assignmentId}
                comment={comment}
                moderates={moderates}
                open={open}
                onReply={onReply}
                onEdit={partial ? undefined : () => setEditing(true)}
              />
            </>
          )}
        </>
      )}
    </article>
  )
}

interface ActionsProps extends CommentItemProps {
  /** Absent while only the beginning of the comment is here. */
  onEdit: (() => void) | undefined
}

function Actions({ assignmentId, comment, moderates, open, onReply, onEdit }: ActionsProps) {
  const user = useUser()
  const { _id: id, mine } = comment
  const remove = useMutation(deleteComment)
  const described = { 'aria-describedby': `by-${id}`, variant: 'plain', size: 'sm' } as const

  async function askAndRemove() {
    const sure = await showConfirm({
      title: t`Are you sure?`,
      text: t`The comment will be deleted. Replies to it stay.`,
      confirm: t`Delete`,
      danger: true,
    })
    if (!sure) return
    try {
      await remove.mutateAsync({ assignmentId, id })
      document.getElementById('discussion')?.focus()
      toast(t`Comment deleted`)
    } catch (error) {
      toast(explain(error), 'error')
    }
  }

  async function copyLink() {
    const link = new URL(location.href)
    link.hash = `comment-${id}`
    try {
      await navigator.clipboard.writeText(String(link))
      toast(t`Link copied`)
    } catch {
      toast(t`The link could not be copied.`, 'error')
    }
  }

  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-1 gap-y-1 text-sm">
      <Reactions assignmentId={assignmentId} comment={comment} />
      {user && open && (
        <Button {...described} onClick={onReply}>
          {t`Reply`}
        </Button>
      )}
      {mine && onEdit && (
        <Button {...described} onClick={onEdit}>
          {t`Edit`}
        </Button>
      )}
      {user && (mine || moderates) && (
        <Button {...described} className="text-red" busy={remove.isPending} onClick={askAndRemove}>
          {t`Delete`}
        </Button>
      )}
      {user && !mine && <Report kind="comment" id={id} describedBy={`by-${id}`} />}
      <Button {...described} onClick={copyLink}>
        {t`Copy link`}
      </Button>
    </div>
  )
}
