import type { ComponentProps } from 'react'
import { TextArea, TextInput } from '@/components/ui'
import { lengthOf } from '@/lib/text'

const markHint = (total: number) => `A whole number from 0 to ${total}.`

/** What a form takes for a mark, as `register` has it. */
export const markRules = (total: number) => ({
  validate: (value: string) => (/^\d+$/.test(value.trim()) && Number(value) <= total) || markHint(total),
})

/** The same for a reason. */
export const reasonRules = {
  validate: (value: string) => {
    const length = lengthOf(value.trim())
    return (length >= 1 && length <= 500) || (length ? 'At most 500 characters.' : 'Say why.')
  },
}

type MarkInputProps = Omit<ComponentProps<typeof TextInput>, 'label' | 'hint'> & { total: number }

/** A mark of a whole. */
export function MarkInput({ total, ...rest }: MarkInputProps) {
  return (
    <TextInput
      label="Mark"
      hint={markHint(total)}
      type="number"
      inputMode="numeric"
      min={0}
      max={total}
      step={1}
      {...rest}
    />
  )
}

/** Why somebody decides or asks for something. */
export function ReasonInput(props: Omit<ComponentProps<typeof TextArea>, 'label'>) {
  return <TextArea label="Reason" {...props} dir="auto" />
}
