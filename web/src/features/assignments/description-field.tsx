import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { useWatch, type Control, type UseFormRegisterReturn } from 'react-hook-form'
import { Field, MarkdownArea, textAreaClass } from '@/components/ui'
import { WritePanels, WriteTabs, type WriteTab } from '@/entities/preview/write-preview'
import type { AssignmentFormValues } from './form-schema'

interface DescriptionFieldProps {
  control: Control<AssignmentFormValues>
  wiring: UseFormRegisterReturn<'description'>
  error: string | undefined
}

/** The description, in Markdown, with the server's own rendering of it beside it. */
export function DescriptionField({ control, wiring, error }: DescriptionFieldProps) {
  const id = useId()
  const [chosen, setChosen] = useState<WriteTab>('write')
  // Faults are corrected in the box.
  const tab = error ? 'write' : chosen
  const text = useWatch({ control, name: 'description' }) ?? ''
  return (
    <Field
      label={t`Description`}
      hint={t`What to do, and what to hand in. Markdown works: **bold**, lists, tables, code.`}
      error={error}
      beside={<WriteTabs id={id} tab={tab} label={t`Description`} onTab={setChosen} />}
    >
      {(field) => (
        <WritePanels id={id} tab={tab} of="description" text={text}>
          <MarkdownArea rows={6} dir="auto" {...wiring} {...field} className={textAreaClass} />
        </WritePanels>
      )}
    </Field>
  )
}
