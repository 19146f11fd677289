import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { TextArea } from './inputs'

/** The reason for a decision or a request. */
export function ReasonInput(props: Omit<ComponentProps<typeof TextArea>, 'label'>) {
  return <TextArea label={t`Reason`} {...props} dir="auto" />
}
