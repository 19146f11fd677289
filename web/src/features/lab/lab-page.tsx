import { t } from '@lingui/core/macro'
import { lazyView } from '@/components/ui'

const LabBench = lazyView(() => import('./lab-bench'), { label: () => t`Loading the lab`, fillsScreen: true })

/** The grade lab: what each model makes of a file of reviews. All of it happens in the browser. */
export function LabPage() {
  return (
    <div className="page">
      <h1>{t`Grade lab`}</h1>
      <p className="mt-3 max-w-prose text-balance text-soft">
        {t`Compare the marks that five models calculate from the same reviews. The file stays on your device: this page uploads nothing.`}
      </p>
      <LabBench />
    </div>
  )
}
