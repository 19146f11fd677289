import { dropDraft, readDraft, writeDraft } from '@/lib/drafts'
import type { ReviewTask } from './queries'

/**
 * What is reserved for the user to review, remembered in this tab: once all its places are taken, no row of the
 * pending list leads back to it. The server gives out what is reserved before anything else.
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
