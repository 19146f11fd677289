import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Dialog, ErrorState, Loading } from '@/components/ui'
import { explain } from '@/lib/problem'
import { ownDetailQuery, type OwnDetail } from '@/entities/submission/craft-queries'

interface OwnDetailDialogProps {
  title: string
  submissionId: string
  onClose: () => void
  /** The dialog once the submission is read. */
  children: (detail: OwnDetail) => ReactNode
}

/**
 * Reads one of the user's submissions for a dialog about it. The dialog opens with the present answer: what it asks about
 * may be newer than the cached one. Later answers do not close it.
 */
export function OwnDetailDialog({ title, submissionId, onClose, children }: OwnDetailDialogProps) {
  const { data, error, isFetching, isStale, refetch } = useQuery(ownDetailQuery(submissionId))
  const [isOpen, setIsOpen] = useState(false)
  if (data && !isOpen && !(isFetching && isStale)) setIsOpen(true)
  if (data && isOpen) return children(data)
  return (
    <Dialog title={title} onClose={onClose}>
      {error ? <ErrorState message={explain(error)} onRetry={() => void refetch()} /> : <Loading />}
    </Dialog>
  )
}
