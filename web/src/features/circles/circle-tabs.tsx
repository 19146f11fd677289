import { t } from '@lingui/core/macro'
import { Tabs } from '@/components/ui'
import { oneOf, searchParams, useSearch } from '@/lib/search-params'
import type { Circle } from '@/entities/circle/queries'

const names = () => ({
  assignments: t`Assignments`,
  pending: t`Pending`,
  members: t`Members`,
  marks: t`Marks`,
  reports: t`Reports`,
  settings: t`Settings`,
})

type Tab = keyof ReturnType<typeof names>

/** The tabs that hold something for the viewer. */
export function tabsOf({ role, may, readsMarks }: Circle): readonly Tab[] {
  const tabs: (Tab | false)[] = [
    'assignments',
    may.grade && 'pending',
    'members',
    readsMarks === true && 'marks',
    role !== 'member' && 'reports',
    role === 'owner' && 'settings',
  ]
  return tabs.filter((tab) => tab !== false)
}

const named = oneOf<Tab>('pending', 'members', 'marks', 'reports', 'settings')
const tabParams = searchParams({ tab: (text) => named(text) || 'assignments' })

/** The tab that the address names, or the first one. */
export function useTab(tabs: readonly Tab[]): Tab {
  const [{ tab }] = useSearch(tabParams)
  return tabs.includes(tab) ? tab : 'assignments'
}

interface CircleTabsProps {
  id: string
  tabs: readonly Tab[]
  tab: Tab
}

/** The parts of a circle. Each has an address. */
export function CircleTabs({ id, tabs, tab }: CircleTabsProps) {
  return (
    <div className="mt-6">
      <Tabs
        label={t`Parts of the circle`}
        tabs={tabs.map((name) => ({
          name,
          label: names()[name],
          to: tabParams.address(`/circle/${id}`, { tab: name }),
        }))}
        open={tab}
      />
    </div>
  )
}
