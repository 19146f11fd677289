import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { lazyView } from '@/components/ui'
import type { ResultRowsProps } from './result-rows'

// Apart from the page, because few see it.
const ResultRows = lazyView(() => import('./result-rows'), {
  label: () => t`Loading the results`,
  fillsScreen: true,
})

interface ResultsProps extends Pick<ResultRowsProps, 'actionsOf' | 'gradeOf'> {
  assignment: ResultRowsProps['assignment']
  /** Shown above the results. */
  notice: ReactNode
  /** Shown below the results of an assignment with several reviews. */
  children?: ReactNode
}

/** The submissions for an assignment. */
export function Results({ assignment, actionsOf, gradeOf, notice, children }: ResultsProps) {
  const id = 'results'
  return (
    <section aria-labelledby={id} className="page pt-0!">
      <h2 id={id} tabIndex={-1} className="border-t border-line pt-8 text-2xl">
        {t`Results`}
      </h2>
      <div className="mt-6 grid grid-cols-1 gap-6 empty:hidden">{notice}</div>
      <div className="mt-6">
        <ResultRows assignment={assignment} headingId={id} actionsOf={actionsOf} gradeOf={gradeOf} />
      </div>
      {children}
    </section>
  )
}
