import { t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { Badge, Button, LinkButton, ListPage, SearchField, SearchIcon, failed, toast } from '@/components/ui'
import { pageNumber, searchParams, useSearch, words } from '@/lib/search-params'
import { CircleSheet } from './circle-card'
import { askToJoin, joinOpen } from '@/entities/circle/joining'
import { MemberCount } from '@/entities/circle/member-count'
import { listedQuery, type ListedCircle } from '@/entities/circle/queries'

const listedParams = searchParams({ search: words(200), listed: pageNumber })

/** The circles that every user can find. Search and page are in the address. */
export function ListedCircles() {
  const [{ search, listed: page }, change] = useSearch(listedParams)
  const client = useQueryClient()
  const circles = useQuery(listedQuery(search, page))
  const box = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  const find = (wanted: string) => change({ search: wanted }, { preventScrollReset: true })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    find(box.current?.value.trim() ?? '')
  }

  return (
    <section aria-labelledby="listed-heading" className="mt-12">
      <h2 id="listed-heading" ref={heading} tabIndex={-1} className="mb-4">
        {t`Find a circle`}
      </h2>
      <search>
        <form onSubmit={send} className="mb-5 flex max-w-xl items-end gap-3">
          <SearchField
            label={t`Search circles`}
            value={search}
            placeholder={t`A name`}
            box={box}
            onClear={() => search && find('')}
            className="min-w-0 flex-1"
          />
          <Button type="submit" variant="quiet">
            <SearchIcon />
            {t`Search`}
          </Button>
        </form>
      </search>
      <ListPage
        list={circles}
        totalPages={circles.data?.pagination.totalPages}
        loading={t`Loading circles`}
        heading={heading}
        name="listed"
        label={t`Pages of listed circles`}
        ahead={(next) => client.prefetchQuery(listedQuery(search, next))}
        empty={
          circles.data?.data.length === 0 && (
            <p role="status" className="text-soft">
              {search ? t`No listed circle matches.` : t`No circle is listed here yet.`}
            </p>
          )
        }
      >
        {({ data }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-3">
            {data.map((circle) => (
              <Listed key={circle._id} circle={circle} />
            ))}
          </div>
        )}
      </ListPage>
    </section>
  )
}

function Listed({ circle }: { circle: ListedCircle }) {
  const { _id: id, name, html, members } = circle
  return (
    <CircleSheet id={id} about={html} name={name}>
      <MemberCount members={members} />
      <WayIn circle={circle} />
    </CircleSheet>
  )
}

/** How the viewer gets in, as the server allows, or that they are in, or have asked. */
function WayIn({ circle: { _id: id, name, role, asked, mayJoin, mayAsk } }: { circle: ListedCircle }) {
  const navigate = useNavigate()
  const joining = useMutation(joinOpen)
  const asking = useMutation(askToJoin)
  const nameId = `circle-${id}`

  async function enter() {
    try {
      await joining.mutateAsync(id)
    } catch (error) {
      void failed(error)
      return
    }
    await navigate(`/circle/${id}`)
    toast(t`Welcome to ${name}`)
  }

  async function ask() {
    try {
      await asking.mutateAsync(id)
      toast(t`Asked. An organizer decides.`)
    } catch (error) {
      void failed(error)
    }
  }

  if (role) {
    return (
      <LinkButton to={`/circle/${id}`} variant="quiet" size="sm" aria-describedby={nameId}>
        {t({ context: 'verb', message: 'Open' })}
      </LinkButton>
    )
  }
  if (mayJoin) {
    return (
      <Button size="sm" busy={joining.isPending} aria-describedby={nameId} onClick={enter}>
        {t`Join`}
      </Button>
    )
  }
  if (asked) return <Badge tone="quiet">{t`Asked`}</Badge>
  if (!mayAsk) return <span className="text-soft">{t`By invitation`}</span>
  return (
    <Button size="sm" variant="quiet" busy={asking.isPending} aria-describedby={nameId} onClick={ask}>
      {t`Ask to join`}
    </Button>
  )
}
