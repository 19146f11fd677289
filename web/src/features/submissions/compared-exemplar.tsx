import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { placed } from '@/entities/rubric/rubric'
import type { Exemplar, Rubric } from '@/entities/submission/queries'

interface ComparedExemplarProps {
  exemplar: Exemplar
  total: number | undefined
  rubric: Rubric | undefined
  /** The reviewer's mark, and their levels under a rubric. */
  mark: number | undefined
  levels: readonly number[] | undefined
}

/** A review of sample work beside the creator's mark and levels, with the creator's reason. */
export function ComparedExemplar({ exemplar, total, rubric, mark, levels }: ComparedExemplarProps) {
  const known = exemplar.levels
  const worth = exemplar.mark
  const why = <bdi>{exemplar.reason}</bdi>
  return (
    <div className="grid gap-4 text-start">
      <p className="text-center">
        <Trans>
          This was sample work, known to be worth {worth} of {total}: {why}
        </Trans>
      </p>
      <table className="w-full text-ink">
        <caption className="sr-only">{t`Your review beside the creator’s`}</caption>
        <thead>
          <tr className="border-b-2 border-ink">
            <th scope="col" className="py-1.5 pe-3 text-start font-semibold">
              {known && rubric ? t`Criterion` : <span className="sr-only">{t`What was given`}</span>}
            </th>
            <th scope="col" className="px-2 py-1.5 text-start font-semibold">
              {t`You`}
            </th>
            <th scope="col" className="px-2 py-1.5 text-start font-semibold">
              {t`Creator`}
            </th>
          </tr>
        </thead>
        <tbody>
          {known &&
            rubric &&
            placed(rubric.criteria).map(({ title, levels: offered, index: at, key }) => (
              <tr key={key} className="border-b border-line align-top">
                <th
                  scope="row"
                  dir="auto"
                  className="min-w-20 py-1.5 pe-3 text-start font-medium wrap-anywhere"
                >
                  {title}
                </th>
                <Level level={offered[levels?.[at] ?? -1]} differs={levels?.[at] !== known[at]} />
                <Level level={offered[known[at] ?? -1]} differs={levels?.[at] !== known[at]} />
              </tr>
            ))}
          <tr className="font-semibold tabular-nums">
            <th scope="row" className="py-1.5 pe-3 text-start font-semibold">
              {t`Mark`}
            </th>
            <td className="px-2 py-1.5">{mark}</td>
            <td className="px-2 py-1.5">{exemplar.mark}</td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}

interface LevelProps {
  level: { label: string; marks: number } | undefined
  differs: boolean
}

/** A level, in bold where reviewer and creator differ. */
function Level({ level, differs }: LevelProps) {
  return (
    <td className={differs ? 'px-2 py-1.5 font-semibold' : 'px-2 py-1.5 text-soft'}>
      <span className="tabular-nums">{level?.marks}</span> <bdi className="wrap-anywhere">{level?.label}</bdi>
    </td>
  )
}
