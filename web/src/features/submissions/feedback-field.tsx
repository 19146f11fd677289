import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { Button, Field, MarkdownArea, textAreaClass } from '@/components/ui'
import { usePhrases } from './use-phrases'

interface FeedbackFieldProps {
  field: UseFormRegisterReturn
  /** Puts another text into the field. */
  onText: (text: string) => void
  /** Opens the user's phrases to change them. */
  onManage: () => void
  error: string | undefined
}

/** The feedback, with the user's own phrases offered as they are typed. */
export function FeedbackField({ field: { ref, ...field }, onText, onManage, error }: FeedbackFieldProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const phrases = usePhrases(box, onText)
  return (
    <Field
      label={t`Feedback`}
      hint={t`Optional: what was good, and what to try next. Markdown works.`}
      error={error}
      beside={
        <Button variant="plain" size="sm" className="-me-3" onClick={onManage}>
          {t`My phrases`}
        </Button>
      }
    >
      {(wiring) => (
        <div className="relative">
          <MarkdownArea
            rows={4}
            dir="auto"
            {...field}
            {...wiring}
            {...phrases.wiring}
            ref={(element) => {
              ref(element)
              box.current = element
            }}
            onKeyDown={phrases.onKeyDown}
            onBlur={(event) => {
              phrases.close()
              void field.onBlur(event)
            }}
            className={textAreaClass}
          />
          {phrases.list}
        </div>
      )}
    </Field>
  )
}
