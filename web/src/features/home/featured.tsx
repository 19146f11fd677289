import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { AppLink, Pages } from '@/components/ui'
import { ArtIcon, type ArtIconName } from './art-icon'
import { featuredEntries, type FeaturedEntry } from './featured-entries'

const entriesPerPage = 6

/** Sample assignments, six at a time. */
export function Featured() {
  const [page, setPage] = useState(1)
  const id = useId()
  const entries = featuredEntries()
  const shown = entries.slice((page - 1) * entriesPerPage, page * entriesPerPage)
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-2xl">
        {t`Featured Assignments`}
      </h2>
      <p className="mt-2 text-soft">{t`Like one? Press it to post it for your friends.`}</p>
      <ul className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map((entry) => (
          <li
            key={entry.id}
            className="relative flex min-h-28 items-center gap-4 rounded-card border border-line bg-raised p-4 transition-shadow duration-200 ease-out hover:shadow-lift"
          >
            <ArtIcon name={entry.icon} />
            <div className="min-w-0">
              <p className="font-display text-lg leading-snug font-semibold">
                <AppLink to={setting(entry)} className="after:absolute after:inset-0">
                  {entry.title}
                </AppLink>
              </p>
              <p className="mt-1 text-sm text-soft">{entry.description}</p>
            </div>
          </li>
        ))}
      </ul>
      <Pages
        label={t`Featured pages`}
        page={page}
        totalPages={Math.ceil(entries.length / entriesPerPage)}
        onPage={setPage}
      />
    </section>
  )
}

/** The picture that goes with an icon, where it has another name. */
const pictures: Partial<Record<ArtIconName, string>> = {
  code: 'programming',
  language: 'languages',
  globe: 'geography',
  chart: 'statistics',
  star: 'astronomy',
}

/** The create form, filled in with the entry. */
function setting({ title, description, icon }: FeaturedEntry): string {
  return `/create-assignment?${new URLSearchParams({ title, description, art: pictures[icon] ?? icon })}`
}
