import type { ReactNode } from 'react'
import { CircledMark } from '@/components/ui'
import { percent } from '@/lib/rounded'
import { Blank } from './region'

interface Figure {
  term: string
  /** Undefined as long as it is not known. */
  value: ReactNode
}

/** Numbers with their names; their room is theirs before they are known. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-x-2 gap-y-5 sm:flex sm:flex-wrap sm:gap-x-10">
      {figures.map(({ term, value }) => (
        <div key={term} className="flex min-w-16 flex-col-reverse justify-end">
          <dt className="text-sm text-soft">{term}</dt>
          <dd className="flex h-10 items-center font-display text-xl leading-none sm:text-2xl font-bold tabular-nums">
            {value ?? <Blank className="h-7 w-12" />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** An average as a figure; a dash where there is nothing to average. */
export const averageOf = (average: number | undefined): ReactNode =>
  average === undefined ? <span className="text-soft">--</span> : percent(average)

/** The viewer's own average, with the pen's circle around it. */
export function CircledAverage({ average }: { average: number }) {
  return (
    <CircledMark
      seed={`average ${average}`}
      drawn
      className="-my-1 -ms-2 min-h-11 px-2.5 sm:min-h-12 sm:px-3.5"
    >
      {percent(average)}
    </CircledMark>
  )
}
