import { dropDraft, readDraft, writeDraft } from '@/lib/drafts'
import type { ReviewTask } from './queries'

/**
 * The submission that is reserved for the user, remembered in this tab: once all its slots are taken, no row of the
 * pending list leads back to it. The server assigns a reserved submission before any other.
 */
export interface HeldReview {
  assignmentTitle: string
  /** An instant. */
  until: string
}

const name = 'reserved review'

export function holdReview({ assignmentTitle, until }: ReviewTask): void {
  writeDraft(name, { assignmentTitle, until })
}

/** null where nothing is reserved any more. */
export function heldReview(): HeldReview | null {
  const { assignmentTitle = '', until = '' } = readDraft<HeldReview>(name) ?? {}
  return Date.parse(until) > Date.now() ? { assignmentTitle, until } : null
}

export function releaseReview(): void {
  dropDraft(name)
}
