import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Card, DueDate, LevelBadge, Thumbnail } from '@/components/ui'
import { cx } from '@/lib/cx'
import type { Assignment } from '@/entities/assignment/queries'

interface AssignmentSheetProps {
  assignment: Pick<Assignment, 'title' | 'thumbnail' | 'level' | 'dueDate'> & {
    marks: number | string
    circleName?: string | null
  }
  /** The title, as the heading or link that it is where the sheet lies. */
  heading: ReactNode
  /** Across the whole row where there are three columns, with the beginning of its description. */
  lead?: string | undefined
  /** There is no picture yet. */
  blank?: boolean
  eager?: boolean
  /** Where the viewer stands with it; its room is kept free until it is known. */
  state?: ReactNode
  className?: string
  /** Its actions. */
  children?: ReactNode
}

/**
 * The face of an assignment: picture, level, due date, title and marks. A card of the list, and its preview. On a
 * phone the picture is small and beside the text.
 */
export function AssignmentSheet({
  assignment: { title, thumbnail, level, dueDate, marks, circleName },
  heading,
  lead,
  blank = false,
  eager = false,
  state,
  className,
  children,
}: AssignmentSheetProps) {
  const wide = lead !== undefined
  return (
    <Card
      lift
      className={cx('relative flex h-full flex-col overflow-hidden', wide && 'lg:flex-row', className)}
    >
      <Thumbnail
        src={thumbnail}
        title={title}
        blank={blank}
        eager={eager}
        className={cx(
          'border-line max-sm:absolute max-sm:start-3 max-sm:top-3 max-sm:w-20 max-sm:rounded-control max-sm:border sm:border-b',
          wide && 'lg:w-7/12 lg:shrink-0 lg:border-e lg:border-b-0',
        )}
      />
      <div className={cx('sheet flex min-w-0 grow flex-col gap-1 p-3 sm:gap-3 sm:p-5', wide && 'lg:p-8')}>
        <div className="grid gap-1 max-sm:min-h-12 max-sm:ps-23 sm:contents">
          <div className="flex flex-wrap items-center justify-between gap-x-2 text-sm sm:gap-y-2">
            <LevelBadge level={level} />
            {dueDate !== '' && (
              <span className="text-soft">
                <Trans>
                  <span className="max-[24rem]:sr-only">Due </span>
                  <DueDate instant={dueDate} />
                </Trans>
              </span>
            )}
          </div>
          {heading}
          {circleName && (
            <p dir="auto" className="line-clamp-1 text-sm wrap-anywhere text-soft">
              {circleName}
            </p>
          )}
        </div>
        {wide && (
          <p dir="auto" className="line-clamp-4 text-soft max-lg:hidden">
            {lead}
          </p>
        )}
        <div className="mt-auto flex min-h-8 items-center justify-between gap-3 text-sm max-sm:ps-23">
          <p className="text-soft">
            <Marks marks={marks} />
          </p>
          {state}
        </div>
        {children}
      </div>
    </Card>
  )
}

function Marks({ marks }: { marks: number | string }) {
  const count = Number(marks)
  const figure = <span className="font-display text-lg font-bold text-ink tabular-nums">{marks}</span>
  return (
    <Trans>
      {figure} <Plural value={count} one="mark" other="marks" />
    </Trans>
  )
}
