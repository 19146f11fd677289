import { t } from '@lingui/core/macro'
import { useWatch, type Control } from 'react-hook-form'
import { endOfDay, parseDay } from '@/lib/dates'
import { AssignmentSheet } from './assignment-sheet'
import type { AssignmentFormValues } from './form-schema'

interface AssignmentPreviewProps {
  control: Control<AssignmentFormValues>
  /** The picture as far as it was chosen: not every letter of an address is worth fetching. */
  thumbnail: string
}

/** A preview of the card while the user writes the assignment. */
export default function AssignmentPreview({ control, thumbnail }: AssignmentPreviewProps) {
  const { title = '', marks = '', level = 'easy', dueDate = '' } = useWatch({ control })
  const day = parseDay(dueDate)
  return (
    <aside aria-label={t`Preview`} className="lg:sticky lg:top-6">
      <p className="mb-3 text-sm font-semibold">{t`As your friends will see it`}</p>
      <AssignmentSheet
        assignment={{ title, thumbnail, level, dueDate: day ? endOfDay(day) : '', marks: marks || '--' }}
        blank={thumbnail === ''}
        heading={
          <p
            dir="auto"
            className="line-clamp-3 font-display text-lg font-bold tracking-tight wrap-anywhere empty:text-soft"
          >
            {title.trim() || <span className="text-soft">{t`Your title`}</span>}
          </p>
        }
        // A tablet has room for the picture beside the words.
        className="h-auto! sm:max-lg:grid sm:max-lg:grid-cols-2 sm:max-lg:*:first:border-e sm:max-lg:*:first:border-b-0"
      />
    </aside>
  )
}
