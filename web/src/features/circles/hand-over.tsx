import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Button } from '@/components/ui'
import { HandOverDialog } from './hand-over-dialog'
import { Part } from './part'
import type { Circle } from '@/entities/circle/queries'

/** Lets an owner ask a member to become one. */
export function HandOver({ circle: { _id: id, heirId } }: { circle: Circle }) {
  const [open, setOpen] = useState(false)
  return (
    <Part
      title={t`Hand over`}
      about={t`Ask a member to become owner in your place. You remain an owner until they accept.`}
    >
      {heirId && <p className="mb-3">{t`You have asked a member, who has not accepted yet.`}</p>}
      <Button variant="quiet" onClick={() => setOpen(true)}>
        {t`Hand over`}
      </Button>
      {open && <HandOverDialog id={id} onClose={() => setOpen(false)} />}
    </Part>
  )
}
