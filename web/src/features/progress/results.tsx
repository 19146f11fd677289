import type { ReactNode } from 'react'
import { lazyView } from '@/components/ui'
import { useUser } from '@/lib/session'
import type { ResultRowsProps } from './result-rows'

// Apart from the page, because the creator alone sees it.
const ResultRows = lazyView('Loading the results', () => import('./result-rows'), true)

interface ResultsProps extends Pick<ResultRowsProps, 'actionsOf' | 'gradeOf'> {
  assignment: ResultRowsProps['assignment'] & { creatorEmail: string | null }
  /** Shown above the results. */
  notice: ReactNode
  /** Shown below the results of an assignment with several reviews. */
  children?: ReactNode
}

/** The submissions for an assignment, shown to its creator alone. */
export function Results({ assignment, actionsOf, gradeOf, notice, children }: ResultsProps) {
  const user = useUser()
  const id = 'results'
  return (
    user !== null &&
    user.email === assignment.creatorEmail && (
      <section aria-labelledby={id} className="page pt-0!">
        <h2 id={id} tabIndex={-1} className="border-t border-line pt-8 text-2xl">
          Results
        </h2>
        {notice}
        <div className="mt-6">
          <ResultRows assignment={assignment} headingId={id} actionsOf={actionsOf} gradeOf={gradeOf} />
        </div>
        {children}
      </section>
    )
  )
}
