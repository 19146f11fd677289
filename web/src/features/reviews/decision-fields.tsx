import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { TextInput } from '@/components/ui'

type MarkInputProps = Omit<ComponentProps<typeof TextInput>, 'label' | 'hint'> & { total: number }

/** A mark of at most `total`. */
export function MarkInput({ total, ...rest }: MarkInputProps) {
  return (
    <TextInput
      label={t`Mark`}
      hint={t`A whole number from 0 to ${total}.`}
      type="number"
      inputMode="numeric"
      min={0}
      max={total}
      step={1}
      {...rest}
    />
  )
}
