import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode, RefObject } from 'react'
import { explain } from '@/lib/problem'
import { usePage } from '@/lib/search-params'
import { Pages } from './pages'
import { Loading } from './spinner'
import { ErrorState, RefreshFailed } from './states'

interface ListPageProps<Answer> {
  list: Pick<UseQueryResult<Answer>, 'data' | 'error' | 'isPending' | 'refetch'>
  totalPages: number | undefined
  /** Where nothing is asked for, nothing is awaited. */
  idle?: boolean
  loading: string
  /** It is all that the page has. */
  fillsScreen?: boolean
  /** What stands for a list without rows; undefined where there are some. */
  empty?: ReactNode
  /** Gets the focus when the page is turned. */
  heading?: RefObject<HTMLElement | null>
  /** The parameter of the address that names the page. */
  name?: string
  /** The list is a part of a page, which stays scrolled as it is. */
  part?: boolean
  /** The accessible name of the links to its pages. */
  label?: string
  /** Fetches a page that the user points at, where its link does not: it is no query of the route. */
  ahead?: (page: number) => unknown
  children: (answer: NonNullable<Answer>) => ReactNode
}

/**
 * A list in pages: loading, empty, failed with a retry, out of date, and links to its pages, after which the heading
 * has the focus. An address past the end leads to the last page.
 */
export function ListPage<Answer>({
  list,
  totalPages,
  idle = false,
  loading,
  fillsScreen = false,
  empty,
  heading,
  name = 'page',
  part = name !== 'page',
  label,
  ahead,
  children,
}: ListPageProps<Answer>) {
  const { data, error, isPending } = list
  const { page, addressOf, isPastEnd } = usePage(name, totalPages)
  const retry = () => void list.refetch()
  return (
    <>
      {((isPending && !idle) || isPastEnd) && <Loading label={loading} fillsScreen={fillsScreen} />}
      {error && !data && <ErrorState message={explain(error)} onRetry={retry} />}
      <RefreshFailed error={data && error} onRetry={retry} />
      {data && !isPastEnd && (empty || children(data))}
      {totalPages !== undefined && totalPages > 1 && (
        <div className="mt-8 min-h-11">
          <Pages
            page={page}
            totalPages={totalPages}
            addressOf={addressOf}
            onPage={() => heading?.current?.focus()}
            onIntent={ahead}
            part={part}
            {...(label && { label })}
          />
        </div>
      )}
    </>
  )
}
