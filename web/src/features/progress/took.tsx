import { t } from '@lingui/core/macro'
import { AppLink } from '@/components/ui'
import { dayOfDate, formatDay } from '@/lib/dates'
import { ChartFigure, ChartTable } from './chart-figure'
import { CircledAverage, Figures, averageOf } from './figures'
import { levels, lookOf } from './levels'
import { LevelsChart } from './levels-chart'
import { MarksChart } from './marks-chart'
import { percent } from '@/lib/rounded'
import type { Dashboard } from '@/entities/progress/queries'
import { FirstStep, Region } from './region'

type Taken = Dashboard['taken']

/** The user's submissions and their marks. */
export function Took({ taken, className }: { taken: Taken | undefined; className: string }) {
  const more = (
    <AppLink to="/attemded-assignments" className="link text-sm">
      {t`All your submissions`}
    </AppLink>
  )
  if (taken?.total === 0) {
    return (
      <Region title={t`What you took`} className={className}>
        <FirstStep
          art="submitted"
          text={t`Take an assignment, hand in your document, and your marks appear here.`}
          to="/assignments?state=open"
          label={t`Take your first one`}
          primary
        />
      </Region>
    )
  }
  return (
    <Region title={t`What you took`} more={more} className={className}>
      <Figures
        figures={[
          {
            term: t`Average`,
            value:
              taken &&
              (taken.averagePercent === undefined ? (
                averageOf(undefined)
              ) : (
                <CircledAverage average={taken.averagePercent} />
              )),
          },
          { term: t`Best`, value: taken && averageOf(taken.bestPercent) },
          { term: t`Handed in`, value: taken?.total },
          { term: t`Waiting`, value: taken?.pending },
          { term: t`Graded`, value: taken?.graded },
        ]}
      />
      <Charts taken={taken} />
    </Region>
  )
}

function Charts({ taken }: { taken: Taken | undefined }) {
  const marked = taken && taken.marks.length > 0 ? taken : undefined
  return (
    <div className="relative mt-6 grid grow gap-x-10 gap-y-8 border-t border-line pt-4 lg:max-xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)] xl:content-start">
      <ChartFigure
        title={t`Marks over time`}
        className="min-h-86"
        chart={marked && <MarksChart marks={marked.marks} average={marked.averagePercent} />}
        table={marked && <MarksTable marks={marked.marks} />}
      />
      <ChartFigure
        title={t`Marks by level`}
        className="min-h-48"
        chart={marked && <LevelsChart byLevel={marked.byLevel} />}
        table={marked && <LevelsTable byLevel={marked.byLevel} />}
      />
      {taken?.marks.length === 0 && (
        <p className="absolute inset-0 grid place-content-center bg-raised/80 px-6 text-center font-display text-lg font-semibold">
          {t`Your first mark is on its way.`}
        </p>
      )}
    </div>
  )
}

/** The latest first. */
function MarksTable({ marks }: { marks: Taken['marks'] }) {
  return (
    <ChartTable
      caption={t`Marks over time`}
      columns={[{ header: t`Assignment` }, { header: t`Level` }, { header: t`Mark`, numeric: true }]}
    >
      {marks.toReversed().map(({ assignmentId, assignmentTitle, level, percent: share, markedAt }) => (
        <tr key={`${assignmentTitle} ${markedAt}`}>
          <td className="wrap-anywhere">
            <TitleOf id={assignmentId} title={assignmentTitle || t`Untitled`} />
            <br />
            <time dateTime={markedAt} className="text-soft">
              {formatDay(dayOfDate(new Date(markedAt)))}
            </time>
          </td>
          <td>{lookOf(level).word()}</td>
          <td className="text-end">{percent(share)}</td>
        </tr>
      ))}
    </ChartTable>
  )
}

/** Imported work may not say of which assignment it is. */
function TitleOf({ id, title }: { id: string | undefined; title: string }) {
  if (!id) return <bdi>{title}</bdi>
  return (
    <AppLink to={`/assignment/${id}`} className="link">
      <bdi>{title}</bdi>
    </AppLink>
  )
}

function LevelsTable({ byLevel }: { byLevel: Taken['byLevel'] }) {
  return (
    <ChartTable
      caption={t`Marks by level`}
      columns={[
        { header: t`Level` },
        { header: t`Graded`, numeric: true },
        { header: t`Average`, numeric: true },
      ]}
    >
      {levels.map(({ level, word }) => (
        <tr key={level}>
          <th scope="row" className="py-2 text-start font-normal">
            {word()}
          </th>
          <td className="text-end">{byLevel[level].graded}</td>
          <td className="text-end">{averageOf(byLevel[level].averagePercent)}</td>
        </tr>
      ))}
    </ChartTable>
  )
}
