import { useState } from 'react'
import { Button } from '@/components/ui'
import { Asking } from './asking'
import { InvitationLinkDialog } from './invitation-link-dialog'
import { Invitations } from './invitations'
import { MemberList } from './member-list'
import { inviteDialog, rosterDialog } from './parts'
import type { Circle } from '@/entities/circle/queries'

/** The members of a circle; for organizers also the ways in. */
export default function MembersTab({ circle }: { circle: Circle }) {
  const { _id: id, may, role } = circle
  const [open, setOpen] = useState<'invite' | 'roster' | { link: string } | null>(null)
  const close = () => setOpen(null)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {may.organize && (
        <div className="flex flex-wrap gap-3">
          <Button {...inviteDialog.opener} onClick={() => setOpen('invite')}>
            Invite
          </Button>
          <Button variant="quiet" {...rosterDialog.opener} onClick={() => setOpen('roster')}>
            Upload a roster
          </Button>
        </div>
      )}
      {may.organize && <Asking id={id} />}
      <MemberList circle={circle} />
      {role !== 'member' && <Invitations circle={circle} />}
      {open === 'invite' && (
        <inviteDialog.Dialog id={id} onClose={close} onMade={(link) => setOpen({ link })} />
      )}
      {open === 'roster' && <rosterDialog.Dialog id={id} onClose={close} />}
      {typeof open === 'object' && open && <InvitationLinkDialog url={open.link} onClose={close} />}
    </div>
  )
}
