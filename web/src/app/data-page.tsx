import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { Outlet } from 'react-router'
import { DialogHost } from '@/components/ui'
import { queryClient } from '@/lib/query-client'
import { useUser } from '@/lib/session'
import { NotFound } from '@/routes/not-found'
import { useCurrentPage, useVisit } from './current-page'
import { queriesOf } from './page-queries'
import { pages } from './pages'
import { useTitle } from './title'

/** Wraps the pages that show or change server data. They are mounted anew for another user. */
export function Component() {
  const email = useUser()?.email
  return (
    <QueryClientProvider client={queryClient}>
      <Subject key={email} />
      <DialogHost />
    </QueryClientProvider>
  )
}

const notFound = pages.find(({ path }) => path === '*')

/**
 * Sets the page's title from its subject, the first of its queries. A subject that does not exist means that the page
 * does not either. A page is mounted anew for each subject that its address names: no text, dialog or list of one
 * subject is ever shown under another.
 */
function Subject() {
  const page = useCurrentPage()
  const visit = useVisit()
  const [query] = page ? queriesOf(page.name, visit) : []
  const client = useQueryClient()
  const read = () => (query ? client.getQueryData(query.key) : undefined)
  // Other components add queries to the cache as they render, when this one may not be updated.
  const subscribe = useCallback(
    (listener: () => void) =>
      client.getQueryCache().subscribe(({ type }) => {
        if (type === 'updated' || type === 'removed') listener()
      }),
    [client],
  )
  const subject = useSyncExternalStore(subscribe, read, read)
  const gone = subject === null
  useTitle((gone ? notFound : page)?.title() ?? '', query?.boot && { [query.boot]: subject })
  return gone ? <NotFound /> : <Outlet key={Object.values(visit.params).join('/')} />
}
