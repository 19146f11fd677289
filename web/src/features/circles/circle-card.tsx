import { t } from '@lingui/core/macro'
import { useMemo, type ReactNode } from 'react'
import { AppLink, Badge, Card } from '@/components/ui'
import { MemberCount } from '@/entities/circle/member-count'
import type { Circle } from '@/entities/circle/queries'
import { RoleBadge } from '@/entities/circle/role-badge'

/** A circle of the user's: the whole card leads into it. */
export function CircleCard({ circle }: { circle: Circle }) {
  const { _id: id, name, html, role, members, archivedAt } = circle
  return (
    <CircleSheet
      id={id}
      about={html}
      badges={
        <>
          <RoleBadge role={role} />
          {archivedAt && <Badge tone="quiet">{t`Archived`}</Badge>}
        </>
      }
      name={
        <AppLink to={`/circle/${id}`} className="after:absolute after:inset-0">
          {name}
        </AppLink>
      }
      lift
    >
      <MemberCount members={members} />
    </CircleSheet>
  )
}

interface CircleSheetProps {
  id: string
  /** The description as HTML, of which two lines of text show. */
  about: string
  /** The name, or a link of that name. */
  name: ReactNode
  badges?: ReactNode
  lift?: boolean
  /** The last line. */
  children: ReactNode
}

/** The face of a circle in a list. */
export function CircleSheet({ id, about, name, badges, lift, children }: CircleSheetProps) {
  const nameId = `circle-${id}`
  const text = useMemo(() => textOf(about), [about])
  return (
    <article aria-labelledby={nameId} className="min-w-0">
      <Card lift={lift ?? false} className="relative flex h-full flex-col gap-2 p-4 sm:p-5">
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          <h3 id={nameId} dir="auto" className="line-clamp-2 min-w-0 flex-1 basis-40 wrap-anywhere">
            {name}
          </h3>
          {badges && <div className="flex flex-wrap gap-2">{badges}</div>}
        </div>
        {text && (
          <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-soft">
            {text}
          </p>
        )}
        <div className="mt-auto flex min-h-8 flex-wrap items-center justify-between gap-3 pt-1 text-sm">
          {children}
        </div>
      </Card>
    </article>
  )
}

/** The text in HTML, of which nothing is run or fetched. */
function textOf(html: string): string {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content.textContent?.trim() ?? ''
}
