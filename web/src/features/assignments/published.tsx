import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card, LinkButton, MessagePicture } from '@/components/ui'
import { assignmentQuery, type Assignment } from '@/entities/assignment/queries'

/** An assignment that was just created, in the navigation state that leads to the list. */
export interface Publication {
  id: string
  title: string
  marks: number
  reviewsNeeded?: number
  rubric?: Assignment['rubric']
}

/** What is asked of the creator next. */
export type Asks = (published: Publication) => ReactNode

/** The assignment just created, from navigation state. */
export function publicationOf(state: unknown): Publication | null {
  const { published } = (state ?? {}) as { published?: Publication }
  return published ?? null
}

interface PublishedProps {
  published: Publication
  circle?: string
  asks: Asks
}

/** Celebrates a new assignment, with links to the next steps. */
export function Published({ published, circle, asks }: PublishedProps) {
  const { id, title } = published
  // Asks for nothing: it only hears when the assignment is deleted here.
  const { data } = useQuery({ ...assignmentQuery(id), enabled: false })
  if (data === null) return null
  return (
    <section aria-label={t`Published`} className="mt-6">
      {/* All of it at the start: at the end lies the toast. */}
      <Card className="flex flex-wrap items-center gap-x-5 gap-y-4 p-5">
        <MessagePicture kind="done" seed={id} className="size-12 shrink-0" />
        <p className="min-w-0 max-sm:flex-1 max-sm:basis-52 sm:max-w-md">
          <span className="line-clamp-2 font-display text-lg leading-snug font-semibold wrap-anywhere">
            <bdi>{title}</bdi>
          </span>
          <span className="text-soft">
            {circle ? t`The members of this circle can take it now.` : t`Your friends can take it now.`}
          </span>
        </p>
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:grow">
          <LinkButton to={`/assignment/${id}`} variant="quiet">
            {t`See it`}
          </LinkButton>
          <LinkButton
            to={circle ? `/create-assignment?circle=${circle}` : '/create-assignment'}
            variant="plain"
          >
            {t`Create another`}
          </LinkButton>
        </div>
      </Card>
      {asks(published)}
    </section>
  )
}
