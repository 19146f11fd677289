import { plural, t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import {
  AppLink,
  BackIcon,
  Badge,
  Button,
  RenderedText,
  TabPanel,
  failed,
  showConfirm,
  toast,
} from '@/components/ui'
import { percent } from '@/lib/rounded'
import { CircleTabs, tabsOf, useTab } from './circle-tabs'
import { AcceptOwnership } from './accept-ownership'
import { MemberCount } from '@/entities/circle/member-count'
import { ownersQuery } from '@/entities/circle/members'
import { leaveCircle } from '@/entities/circle/mutations'
import { MembersView, SettingsView } from './parts'
import { SetUp } from './set-up'
import type { Circle } from '@/entities/circle/queries'
import { RoleBadge } from '@/entities/circle/role-badge'

interface CirclePageProps {
  circle: Circle
  /** What the tabs of other nouns show. */
  panels: Panels
}

type Panels = Record<'assignments' | 'pending' | 'marks' | 'reports', () => ReactNode>

/** A circle, as its members see it: what it is, and its parts in tabs. */
export function CirclePage({ circle, panels }: CirclePageProps) {
  const { name, html, role, members, archivedAt, notice, heirId, accuracy } = circle
  return (
    <div className="page">
      <AppLink
        to="/circles"
        className="link -mt-2 mb-2 inline-flex min-h-11 items-center gap-2 text-sm no-underline"
      >
        <BackIcon />
        {t`Circles`}
      </AppLink>
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <h1 data-sheet-title tabIndex={-1} dir="auto" className="wrap-anywhere">
            {name}
          </h1>
          <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
            <RoleBadge role={role} />
            {archivedAt && <Badge tone="quiet">{t`Archived`}</Badge>}
            <MemberCount members={members} />
          </p>
        </div>
        <LeaveButton circle={circle} />
      </div>
      {html && <RenderedText html={html} className="mt-4" />}
      {archivedAt && (
        <p className="mt-5 rounded-card border border-line bg-raised px-5 py-3">
          {t`This circle is archived: it can be read, but not changed.`}
        </p>
      )}
      {accuracy && (
        <p className="mt-5 rounded-card border border-line bg-raised px-5 py-3">
          {accuracyText(accuracy)} {t`Organizers see this in the marks.`}
        </p>
      )}
      {notice && <p className="mt-5 rounded-card border border-line bg-raised px-5 py-3">{notice}</p>}
      {role !== 'owner' && heirId && <AcceptOwnership circle={circle} />}
      <Parts circle={circle} panels={panels} />
    </div>
  )
}

function accuracyText({ percent: accurate, reviews }: NonNullable<Circle['accuracy']>): string {
  const share = percent(accurate)
  return plural(reviews, {
    one: `Your reviews of exemplars here are ${share} accurate (${reviews} review).`,
    other: `Your reviews of exemplars here are ${share} accurate (${reviews} reviews).`,
  })
}

function Parts({ circle, panels }: CirclePageProps) {
  const { role, may, archivedAt } = circle
  const tabs = tabsOf(circle)
  const tab = useTab(tabs)
  return (
    <>
      <CircleTabs id={circle._id} tabs={tabs} tab={tab} />
      <TabPanel open={tab} className="mt-6">
        {tab === 'assignments' && role === 'owner' && may.own && !archivedAt && <SetUp circle={circle} />}
        {(tab === 'assignments' || tab === 'pending' || tab === 'marks' || tab === 'reports') &&
          panels[tab]()}
        {tab === 'members' && <MembersView circle={circle} />}
        {tab === 'settings' && <SettingsView circle={circle} />}
      </TabPanel>
    </>
  )
}

/** Leaves the circle. Its only owner hands it over first, in the settings. */
function LeaveButton({ circle: { _id: id, name, role } }: { circle: Circle }) {
  const navigate = useNavigate()
  const { mutateAsync, isPending } = useMutation(leaveCircle(id, async () => navigate('/circles')))
  const isOwner = role === 'owner'
  const { data: owners } = useQuery({ ...ownersQuery(id), enabled: isOwner })

  async function leave() {
    const sure = await showConfirm({
      title: t`Leave this circle?`,
      text: t`You will no longer see what is in it. You can still read what you handed in.`,
      confirm: t`Leave`,
      danger: true,
    })
    if (!sure) return
    try {
      await mutateAsync()
    } catch (error) {
      void failed(error)
      return
    }
    toast(t`You have left ${name}`)
  }

  return (
    (!isOwner || (owners?.pagination.total ?? 1) > 1) && (
      <Button variant="plain" size="sm" busy={isPending} onClick={leave}>
        {t`Leave circle`}
      </Button>
    )
  )
}
