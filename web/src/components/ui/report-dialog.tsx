import { useMutation } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { explain, isProblem } from '@/lib/problem'
import { report, type Reported } from '@/lib/report'
import { lengthOf } from '@/lib/text'
import { Button } from './button'
import { Dialog, DialogActions } from './dialog'
import { TextArea } from './inputs'
import { toast } from './toast'

interface ReportDialogProps {
  kind: Reported
  id: string
  onClose: () => void
}

/** Tells moderators of something, and why. */
export default function ReportDialog({ kind, id, onClose }: ReportDialogProps) {
  const form = useId()
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState('')
  const { mutateAsync, isPending } = useMutation(report)

  async function send(event: FormEvent) {
    event.preventDefault()
    const length = lengthOf(reason.trim())
    if (length < 1 || length > 500) {
      setFault(length < 1 ? 'Say what is wrong with it.' : 'At most 500 characters.')
      return
    }
    try {
      await mutateAsync({ kind, id, reason: reason.trim() })
      onClose()
      void toast('Thank you. A moderator will look at it.')
    } catch (error) {
      setFault((isProblem(error) && error.fields[0]?.message) || explain(error))
    }
  }

  return (
    <Dialog title="Report" onClose={onClose}>
      <form id={form} noValidate onSubmit={(event) => void send(event)}>
        <TextArea
          label="Reason"
          hint="What is wrong with it? Nobody learns who reported."
          dir="auto"
          value={reason}
          error={fault || undefined}
          onChange={({ target }) => {
            setReason(target.value)
            setFault('')
          }}
        />
        <DialogActions>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={isPending}>
            Report
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
