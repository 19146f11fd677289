import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { Avatar, useBegun, useCompletion } from '@/components/ui'
import { previousOfSubject } from '@/lib/query'
import { participantsQuery } from '@/entities/comment/queries'

/** A mention: an @ at the start of a word, and up to two words of a name. */
const typed = /(?:^|[\s(])(@[\p{L}\p{N}_'.-]{0,30}(?: [\p{L}\p{N}_'.-]{0,30})?)$/u

/** Suggests users while a mention is typed, and inserts the chosen one. */
export function useMentions(
  assignmentId: string,
  box: RefObject<HTMLTextAreaElement | null>,
  chosen: readonly { from: number }[],
  onText: (text: string) => void,
) {
  const caret = useBegun(box, typed, (from) => chosen.some((mention) => mention.from === from))
  const query = participantsQuery(assignmentId, caret.begun.slice(1))
  const { data: items = [] } = useQuery({
    ...query,
    enabled: caret.begun !== '',
    placeholderData: previousOfSubject(query.queryKey),
  })
  return useCompletion(caret, {
    label: t`People to mention`,
    items,
    textOf: ({ displayName }) => displayName,
    noteOf: ({ displayName, photoURL, label }) => (
      <>
        {photoURL && (
          <span aria-hidden="true" className="float-start me-2">
            <Avatar name={displayName} photoURL={photoURL} size={28} />
          </span>
        )}
        {label && (
          <>
            {' '}
            <bdi className="text-sm text-soft">{label}</bdi>
          </>
        )}
      </>
    ),
    // Brackets would end the name. Readers see the user's present name.
    insertionOf: ({ authorId, displayName }) =>
      `@[${displayName.replaceAll(/[[\]\n]/g, ' ').trim() || '?'}](user:${authorId}) `,
    onText,
    eager: true,
  })
}
