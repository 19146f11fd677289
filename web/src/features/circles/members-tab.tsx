import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, failed } from '@/components/ui'
import { save } from '@/lib/save'
import { fetchMembers } from '@/entities/circle/members'
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
  const { mutateAsync: fetchFile, isPending } = useMutation(fetchMembers)
  const close = () => setOpen(null)
  async function saveFile() {
    try {
      save(await fetchFile(id), 'members.csv')
    } catch (error) {
      void failed(error)
    }
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {role !== 'member' && (
        <div className="flex flex-wrap gap-3 print:hidden">
          {may.organize && (
            <>
              <Button {...inviteDialog.opener} onClick={() => setOpen('invite')}>
                {t`Invite`}
              </Button>
              <Button variant="quiet" {...rosterDialog.opener} onClick={() => setOpen('roster')}>
                {t`Upload a roster`}
              </Button>
            </>
          )}
          <Button variant="quiet" busy={isPending} onClick={() => void saveFile()}>
            {t`Members as a file`}
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
