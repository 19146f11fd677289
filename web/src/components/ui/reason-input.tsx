import type { ComponentProps } from 'react'
import { TextArea } from './inputs'

/** The reason for a decision or a request. */
export function ReasonInput(props: Omit<ComponentProps<typeof TextArea>, 'label'>) {
  return <TextArea label="Reason" {...props} dir="auto" />
}
