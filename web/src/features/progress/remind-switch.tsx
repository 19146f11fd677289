import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { ToggleSwitch, failed } from '@/components/ui'
import { setReminder } from '@/entities/progress/mutations'

interface RemindSwitchProps {
  assignmentId: string
  /** Undefined as long as it is not known. */
  remind: boolean | undefined
  labelHidden?: boolean
  describedBy?: string
  onSwitch?: (remind: boolean) => void
}

/** Switches the reminder of an assignment's due date. */
export function RemindSwitch({ assignmentId, remind, onSwitch, ...look }: RemindSwitchProps) {
  const { mutateAsync } = useMutation(setReminder)

  async function change(wanted: boolean) {
    onSwitch?.(wanted)
    try {
      await mutateAsync({ assignmentId, remind: wanted })
    } catch (error) {
      onSwitch?.(!wanted)
      const text = t`Your reminder was not changed.`
      void failed(error, text)
    }
  }

  return <ToggleSwitch label={t`Remind me`} checked={remind} onChange={(on) => void change(on)} {...look} />
}
