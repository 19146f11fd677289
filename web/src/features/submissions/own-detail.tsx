import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog, ErrorState, Loading } from '@/components/ui'
import { explain } from '@/lib/problem'
import { ownDetailQuery, type OwnDetail } from './craft-queries'

interface OwnDetailDialogProps {
  title: string
  submissionId: string
  onClose: () => void
  /** The dialog once the submission is read. */
  children: (detail: OwnDetail) => ReactNode
}

/** Reads one of the user's submissions for a dialog about it. */
export function OwnDetailDialog({ title, submissionId, onClose, children }: OwnDetailDialogProps) {
  const { data, error, refetch } = useQuery(ownDetailQuery(submissionId))
  if (data) return children(data)
  return (
    <Dialog title={title} onClose={onClose}>
      {error ? <ErrorState message={explain(error)} onRetry={() => void refetch()} /> : <Loading />}
    </Dialog>
  )
}
