import type { ComponentProps } from 'react'
import { TextInput } from '@/components/ui'

const markHint = (total: number) => `A whole number from 0 to ${total}.`

/** What a form takes for a mark, as `register` has it. */
export const markRules = (total: number) => ({
  validate: (value: string) => (/^\d+$/.test(value.trim()) && Number(value) <= total) || markHint(total),
})

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
