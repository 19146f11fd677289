import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { ListPage, Select, SheetDay } from '@/components/ui'
import { OnlySection } from '@/entities/circle/only-section'
import { oneOf, pageNumber, searchParams, useSearch, words } from '@/lib/search-params'
import { Files } from './files'
import { MarksFile } from './marks-file'
import { MarksTable } from './marks-table'
import { marksQuery } from './queries'

interface MarksTabProps {
  circle: string
}

const files = () => [{ what: 'reviews', label: t`Export reviews (CSV)` }] as const

const params = searchParams({ sort: oneOf('name', 'family'), label: words(40), page: pageNumber })

/** The marks of a circle: its organizers see all, other members those for what they have published. */
export function MarksTab({ circle }: MarksTabProps) {
  const [{ page, sort, label }, ask] = useSearch(params)
  const marks = useQuery(marksQuery(circle, page, sort, label))
  const [search] = useSearchParams()
  const [now] = useState(Date.now)
  return (
    <ListPage
      list={marks}
      totalPages={marks.data?.pagination.totalPages}
      loading={t`Loading the marks`}
      label={t`Pages of marks`}
    >
      {(data) => (
        <section aria-label={t`Marks`} data-sheet className="grid gap-4">
          <h2 className="hidden print:block">{t`Marks`}</h2>
          <SheetDay />
          <div className="flex flex-wrap items-end gap-x-4 gap-y-2 print:hidden">
            <Select
              label={t`Order`}
              value={sort}
              onChange={(event) =>
                ask({ sort: event.currentTarget.value as typeof sort }, { preventScrollReset: true })
              }
            >
              <option value="">{t`By what is missing`}</option>
              <option value="name">{t`By name`}</option>
              <option value="family">{t`By family name`}</option>
            </Select>
            <MarksFile id={circle} />
            <Files of="circle" id={circle} files={files()} />
          </div>
          {label && (
            <OnlySection label={label} all={params.address('', { label: '' }, search)}>
              {' '}
              {t`The files have all members.`}
            </OnlySection>
          )}
          {data.assignments.length === 0 ? (
            <p className="max-w-prose text-soft">
              {t`There are no assignments here yet. Marks appear once members hand in work.`}
            </p>
          ) : (
            <>
              <p className="max-w-prose text-sm text-soft print:hidden">
                {sort === '' && `${t`Members who missed a due date or owe reviews come first.`} `}
                {t`Reviews given today count tomorrow, so that no one can tell whose they are.`}
              </p>
              <MarksTable
                marks={data}
                now={now}
                sorted={sort !== ''}
                sectionAddress={(section) => params.address('', { label: section }, search)}
              />
            </>
          )}
        </section>
      )}
    </ListPage>
  )
}
