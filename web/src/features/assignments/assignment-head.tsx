import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { BackIcon, Button } from '@/components/ui'

interface AssignmentHeadProps {
  title: string
  /** Why a moderator has hidden it from all users but its creator. */
  hidden?: string | undefined
  /** Below the title. */
  children?: ReactNode
}

/** The head of an assignment's page. */
export function AssignmentHead({ title, hidden, children }: AssignmentHeadProps) {
  return (
    <div className="page pb-0!">
      <BackButton />
      {hidden !== undefined && (
        <div className="mt-4 max-w-prose rounded-card border border-line bg-raised p-5">
          <p className="font-semibold">{t`A moderator has hidden this assignment. Only you can see it.`}</p>
          <p dir="auto" className="mt-1 wrap-anywhere">
            {hidden}
          </p>
        </div>
      )}
      {/* As wide as the task: a title from right to left begins where the task does. */}
      <div className="mt-4 md:pe-76 lg:pe-92 print:pe-0">
        <h1 data-sheet-title tabIndex={-1} dir="auto" className="wrap-anywhere">
          {title}
        </h1>
      </div>
      {children}
    </div>
  )
}

/** Returns to the previous page, or to the list where there is none in the app. */
function BackButton() {
  const navigate = useNavigate()
  const cameFromHere = useLocation().key !== 'default'
  return (
    <Button
      variant="plain"
      className="-ms-4"
      onClick={() => void (cameFromHere ? navigate(-1) : navigate('/assignments'))}
    >
      <BackIcon />
      {t`Back`}
    </Button>
  )
}
