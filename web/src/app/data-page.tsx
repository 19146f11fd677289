import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Outlet } from 'react-router'
import { DialogHost } from '@/components/ui'
import { queryClient } from '@/lib/query-client'
import { useUser } from '@/lib/session'
import { NotFound } from '@/routes/not-found'
import { useCurrentPage, useVisit } from './current-page'
import { queriesOf } from './page-queries'
import { pages } from './pages'
import { useTitle } from './title'

/** Around pages that show or change something of the server's. They start anew for another person. */
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

/** Titles the page by what it is about; where that does not exist, neither does the page. */
function Subject() {
  const page = useCurrentPage()
  const visit = useVisit()
  const [query] = page ? queriesOf(page.name, visit) : []
  const client = useQueryClient()
  const read = () => (query ? client.getQueryData(query.key) : undefined)
  const subject = useSyncExternalStore((listener) => client.getQueryCache().subscribe(listener), read, read)
  const gone = subject === null
  useTitle((gone ? notFound : page)?.title ?? '', query?.boot && { [query.boot]: subject })
  return gone ? <NotFound /> : <Outlet />
}
