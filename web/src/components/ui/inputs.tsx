import type { ComponentProps } from 'react'
import { cx } from '@/lib/cx'
import { Field, controlClass, type FieldProps } from './field'
import { MarkdownArea } from './markdown-area'

export function TextInput({ label, hint, error, className, ...input }: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(wiring) => <input type="text" {...input} {...wiring} className={controlClass} />}
    </Field>
  )
}

export const textAreaClass = cx(
  controlClass,
  'field-sizing-content max-h-96 min-h-28 resize-y leading-normal',
)

export function TextArea({
  label,
  hint,
  error,
  className,
  markdown = false,
  ...input
}: FieldProps & ComponentProps<'textarea'> & { markdown?: boolean }) {
  const Box = markdown ? MarkdownArea : 'textarea'
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(wiring) => <Box rows={4} {...input} {...wiring} className={textAreaClass} />}
    </Field>
  )
}

export function Select({ label, hint, error, className, ...input }: FieldProps & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(wiring) => (
        <select
          {...input}
          {...wiring}
          className={cx(controlClass, 'text-ellipsis disabled:opacity-60 disabled:hover:border-edge')}
        />
      )}
    </Field>
  )
}
