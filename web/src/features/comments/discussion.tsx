import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { AppLink, Button, ErrorState, Loading, Pages, RefreshFailed, toast } from '@/components/ui'
import { explain } from '@/lib/problem'
import { useUser } from '@/lib/session'
import { usePage } from '@/lib/search-params'
import { CommentThread } from './comment-thread'
import { Composer, type OnPosted } from './composer'
import { HiddenComment } from './hidden-comment'
import { closeDiscussion } from '@/entities/comment/mutations'
import { locatedQuery } from '@/entities/comment/queries'
import { commentsQuery, type CommentPage } from '@/entities/comment/threads-query'
import { useNewComments } from './use-new-comments'

interface DiscussionProps {
  assignmentId: string
  /** The viewer decides about the assignment. */
  decides: boolean
}

const pageName = 'comments'
const idInHash = (hash: string) => /^#comment-([\w-]{1,64})$/.exec(hash)?.[1]

/** The discussion of an assignment: threads, oldest first, and a box to write in. */
export default function Discussion({ assignmentId, decides }: DiscussionProps) {
  const { page } = usePage(pageName)
  const { data, error, isFetching, refetch } = useQuery(commentsQuery(assignmentId, page))
  const retry = () => void refetch()
  return (
    <section aria-labelledby="discussion" className="page pt-0!">
      <div className="border-t border-line pt-8 md:*:max-w-[calc(100%-19rem)] lg:*:max-w-[calc(100%-23rem)]">
        {data ? (
          <>
            <RefreshFailed error={error} onRetry={retry} />
            <Threads
              assignmentId={assignmentId}
              decides={decides}
              page={page}
              latest={data}
              settled={!isFetching}
            />
          </>
        ) : (
          <>
            <h2 id="discussion" className="text-2xl">
              {t`Discussion`}
            </h2>
            {error ? (
              <ErrorState message={explain(error)} onRetry={retry} />
            ) : (
              <Loading label={t`Loading the discussion`} />
            )}
          </>
        )}
      </div>
    </section>
  )
}

interface ThreadsProps extends DiscussionProps {
  page: number
  latest: CommentPage
  settled: boolean
}

function Threads({ assignmentId, decides, page, latest, settled }: ThreadsProps) {
  const user = useUser()
  const navigate = useNavigate()
  const { shown, count, reveal } = useNewComments(`${assignmentId} ${page}`, latest, settled)
  const [posted, setPosted] = useState('')
  const { hash, pathname, search } = useLocation()
  const [opened, setOpened] = useState<string | null>(null)
  const client = useQueryClient()
  const [hiddenId, setHiddenId] = useState('')
  const target = idInHash(hash)
  const moderates = user !== null && (decides || user.moderator === true)
  const close = useMutation(closeDiscussion)
  // A link to a comment leads to its page.
  const { addressOf, go } = usePage(pageName, target ? undefined : latest.pagination.totalPages)

  // A comment that was here and has been deleted is not looked up.
  const found = useRef<string>(undefined)
  useEffect(() => {
    if (!target || !settled || found.current === target) return
    if (document.getElementById(`comment-${target}`)) {
      found.current = target
      return
    }
    let wanted = true
    const lead = async () => {
      try {
        const located = await client.fetchQuery(locatedQuery(assignmentId, target))
        if (!wanted) return
        if (!located) {
          toast(t`This comment was deleted.`, 'error')
          return
        }
        if (located.hidden) {
          setHiddenId(target)
          return
        }
        setOpened(located.threadId)
        if (located.page !== page)
          void navigate(addressOf(located.page) + hash, { replace: true, preventScrollReset: true })
      } catch (error) {
        toast(explain(error), 'error')
      }
    }
    void lead()
    return () => {
      wanted = false
    }
    // Once for each link.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [target, settled])

  /** Shows the user's own comment, turning to its page, and focuses it unless they have gone on writing. */
  const show: OnPosted = (comment, writes) => {
    setPosted(t`Your comment is posted.`)
    reveal()
    if (comment.threadId !== comment.id) setOpened(comment.threadId ?? null)
    if (writes) return
    void navigate(`${addressOf(comment.page ?? page)}#comment-${comment.id}`, { preventScrollReset: true })
  }

  function showNew() {
    const last = latest.pagination.totalPages
    reveal()
    if (last > page) go(last)
    document.getElementById('discussion')?.focus()
  }

  async function closeOrOpen() {
    try {
      await close.mutateAsync({ assignmentId, closed: latest.discussion === 'open' })
    } catch (failure) {
      toast(explain(failure), 'error')
    }
  }

  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="discussion" tabIndex={-1} className="text-2xl">
          {t`Discussion`}
        </h2>
        {moderates && (
          <Button variant="plain" size="sm" busy={close.isPending} onClick={closeOrOpen}>
            {latest.discussion === 'open' ? t`Close discussion` : t`Open discussion`}
          </Button>
        )}
      </div>
      {target && target === hiddenId && <HiddenComment assignmentId={assignmentId} id={target} />}
      {shown.length > 0 ? (
        <ol className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-6">
          {shown.map((thread) => (
            <CommentThread
              key={thread._id}
              assignmentId={assignmentId}
              thread={thread}
              moderates={moderates}
              open={latest.discussion === 'open'}
              opened={opened}
              target={target}
              onPosted={show}
            />
          ))}
        </ol>
      ) : (
        latest.pagination.totalPages === 0 && (
          <p className="mt-2 text-soft">{t`No comments yet. Ask about what is unclear, or say what helped.`}</p>
        )
      )}
      <Pages
        page={page}
        totalPages={latest.pagination.totalPages}
        addressOf={addressOf}
        onPage={() => document.getElementById('discussion')?.focus()}
        part
        label={t`Comment pages`}
      />
      {/* Below the comments, so that it moves none. */}
      <div
        role="status"
        className="sticky bottom-3 z-1 grid h-0 content-end justify-items-center max-md:bottom-[calc(6rem+var(--shortcuts))]"
      >
        {count > 0 && (
          <Button size="sm" className="mb-1 shadow-lift" onClick={showNew}>
            {plural(count, { one: '# new comment', other: '# new comments' })}
          </Button>
        )}
      </div>
      <p role="status" className="sr-only">
        {posted}
      </p>
      <div className="mt-6 border-t border-line pt-6">
        {latest.discussion === 'open' ? (
          user ? (
            <Composer
              assignmentId={assignmentId}
              label={t`Write a comment`}
              submit={t`Comment`}
              draft="new"
              onPosted={show}
            />
          ) : (
            <p>
              <Trans>
                <AppLink to="/auth/login" state={{ from: pathname + search }} className="link">
                  Sign in
                </AppLink>{' '}
                to write a comment.
              </Trans>
            </p>
          )
        ) : (
          <p className="font-semibold">{t`This discussion is closed.`}</p>
        )}
      </div>
    </>
  )
}
