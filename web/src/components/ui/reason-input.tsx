import type { ComponentProps } from 'react'
import { lengthOf } from '@/lib/text'
import { TextArea } from './inputs'

/** What a form takes for a reason, as `register` has it. */
export const reasonRules = {
  validate: (value: string) => {
    const length = lengthOf(value.trim())
    return (length >= 1 && length <= 500) || (length ? 'At most 500 characters.' : 'Say why.')
  },
}

/** Why somebody decides or asks for something. */
export function ReasonInput(props: Omit<ComponentProps<typeof TextArea>, 'label'>) {
  return <TextArea label="Reason" {...props} dir="auto" />
}
