import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { AppLink, Button, Card, CheckIcon } from '@/components/ui'
import { listQueryOf } from '@/entities/assignment/list-query'
import { listQuery } from '@/entities/assignment/queries'
import type { Circle } from '@/entities/circle/queries'
import { exemplarsQuery } from '@/entities/review/exemplars-query'

const firstPage = listQueryOf(new URLSearchParams())

/** With three reviews or more, exemplars are worth the effort. */
const worthExemplars = 3

/** An owner's first steps in a new circle, until they are done, a second assignment is there, or they are dismissed. */
export function SetUp({ circle: { _id: id, members } }: { circle: Circle }) {
  const heading = useId()
  const [dismissed, setDismissed] = useState(() => isDismissed(id))
  const { data: list } = useQuery({ ...listQuery(firstPage, id), enabled: !dismissed })
  const first = list?.data[0]
  const asksForExemplars = first === undefined || (first.reviewsNeeded ?? 0) >= worthExemplars
  const { data: exemplars } = useQuery({
    ...exemplarsQuery(first?._id ?? ''),
    enabled: !dismissed && first !== undefined && asksForExemplars,
  })
  const steps: Step[] = [
    { name: t`Invite members`, to: `/circle/${id}?tab=members`, done: members > 1 },
    { name: t`Publish an assignment`, to: `/create-assignment?circle=${id}`, done: first !== undefined },
    ...(asksForExemplars
      ? [
          {
            name: t`Add two exemplars, work with known marks`,
            to: first && `/assignment/${first._id}#results`,
            done: (exemplars?.length ?? 0) >= 2,
          },
        ]
      : []),
  ]
  const isSetUp = (list?.pagination.total ?? 0) > 1 || steps.every(({ done }) => done)
  // Stored, so that the list does not show for a moment at the next visit.
  useEffect(() => {
    if (isSetUp) dismiss(id)
  }, [isSetUp, id])
  if (dismissed || isSetUp || !list) return null
  return (
    <section aria-labelledby={heading} className="mb-8 print:hidden">
      <Card className="p-5">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
          <h2 id={heading} className="text-lg">
            {t`Set up your circle`}
          </h2>
          <Button
            variant="plain"
            size="sm"
            className="-me-3"
            onClick={() => {
              dismiss(id)
              setDismissed(true)
            }}
          >
            {t`Dismiss`}
          </Button>
        </div>
        <ol className="mt-2 grid">
          {steps.map(({ name, to, done }) => (
            <li key={name} className="flex min-h-11 items-center gap-3">
              <span className={done ? 'text-green' : 'text-soft'}>
                <CheckIcon done={done} />
              </span>
              {done && <span className="sr-only">{t`Done:`} </span>}
              {done || !to ? (
                <span className="text-soft">{name}</span>
              ) : (
                <AppLink to={to} className="link inline-flex min-h-11 items-center">
                  {name}
                </AppLink>
              )}
            </li>
          ))}
        </ol>
      </Card>
    </section>
  )
}

interface Step {
  name: string
  /** Undefined while another step comes first. */
  to: string | undefined
  done: boolean
}

const keyOf = (id: string) => `set-up ${id}`

function isDismissed(id: string): boolean {
  try {
    return localStorage.getItem(keyOf(id)) !== null
  } catch {
    return false
  }
}

function dismiss(id: string): void {
  try {
    localStorage.setItem(keyOf(id), '')
  } catch {
    // Where nothing can be stored, it is dismissed until the next visit.
  }
}
