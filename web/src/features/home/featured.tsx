import { useId, useState } from 'react'
import { Pages } from '@/components/ui'
import { ArtIcon } from './art-icon'
import { featuredEntries } from './featured-entries'

const entriesPerPage = 6

/** Sample assignments, six at a time. */
export function Featured() {
  const [page, setPage] = useState(1)
  const id = useId()
  const shown = featuredEntries.slice((page - 1) * entriesPerPage, page * entriesPerPage)
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-2xl">
        Featured Assignments
      </h2>
      <ul className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map((entry) => (
          <li
            key={entry.id}
            className="flex min-h-28 items-center gap-4 rounded-card border border-line bg-raised p-4"
          >
            <ArtIcon name={entry.icon} />
            <div className="min-w-0">
              <p className="font-display text-lg leading-snug font-semibold">{entry.title}</p>
              <p className="mt-1 text-sm text-soft">{entry.description}</p>
            </div>
          </li>
        ))}
      </ul>
      <Pages
        label="Featured pages"
        page={page}
        totalPages={Math.ceil(featuredEntries.length / entriesPerPage)}
        onPage={setPage}
      />
    </section>
  )
}
