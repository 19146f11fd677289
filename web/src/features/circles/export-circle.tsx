import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, Checkbox, failed } from '@/components/ui'
import { save } from '@/lib/save'
import { exportCircle } from '@/entities/circle/mutations'
import { Part } from './part'

/** Downloads a circle, to keep it or to move it to another server. */
export function ExportCircle({ id }: { id: string }) {
  const [codes, setCodes] = useState(false)
  const { mutateAsync, isPending: busy } = useMutation(exportCircle)

  async function download() {
    try {
      save(await mutateAsync({ id, codes }), 'circle.zip')
    } catch (error) {
      void failed(error)
    }
  }

  return (
    <Part
      title={t`Export`}
      about={t`Members, assignments, submissions with their marks, exemplars and discussions in one ZIP file, which an operator can import on another server.`}
    >
      <div className="grid justify-items-start gap-3">
        <Checkbox
          label={t`Codes instead of names, without notes, feedback and comments`}
          checked={codes}
          onChange={(event) => setCodes(event.currentTarget.checked)}
          className="text-sm"
        />
        <Button variant="quiet" busy={busy} onClick={download}>
          {busy ? t`Collecting…` : t`Export circle`}
        </Button>
      </div>
    </Part>
  )
}
