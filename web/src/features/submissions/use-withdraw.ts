import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { showAlert, showConfirm, toast } from '@/components/ui'
import { explain } from '@/lib/problem'
import { withdrawSubmission } from './mutations'
import type { OwnSubmission } from './queries'

/** Withdraws the user's own submission after a confirmation. */
export function useWithdraw(): (submission: OwnSubmission) => void {
  const { mutateAsync } = useMutation(withdrawSubmission)
  return useCallback(
    ({ _id: id }) => {
      const withdraw = async () => {
        const sure = await showConfirm({
          title: 'Are you sure?',
          text: 'Nobody will mark it then. You can hand the assignment in again.',
          confirm: 'Yes, withdraw it',
          danger: true,
        })
        if (!sure) return
        try {
          await mutateAsync(id)
        } catch (error) {
          const text = 'Your submission was not withdrawn.'
          void showAlert({ title: 'Error', text, detail: explain(error), error: true })
          return
        }
        void toast('Submission withdrawn')
      }
      void withdraw()
    },
    [mutateAsync],
  )
}
