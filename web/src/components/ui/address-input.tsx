import type { ClipboardEvent, ComponentProps, FocusEvent } from 'react'
import { addressIn } from '@/lib/address'
import { TextInput } from './inputs'

/**
 * A field for a web address. What is pasted over it, or typed and left, becomes the address in it, where there is one.
 */
export function AddressInput({ onBlur, onChange, onPaste, ...field }: ComponentProps<typeof TextInput>) {
  const show = (event: ClipboardEvent<HTMLInputElement> | FocusEvent<HTMLInputElement>, text: string) => {
    event.currentTarget.value = text
    onChange?.({ ...event, target: event.currentTarget, type: 'change' })
  }
  return (
    <TextInput
      type="url"
      autoComplete="off"
      {...field}
      onChange={onChange}
      onPaste={(event) => {
        onPaste?.(event)
        const { selectionStart, selectionEnd, value } = event.currentTarget
        const replacesAll = !value || (selectionStart === 0 && selectionEnd === value.length)
        const text = event.clipboardData.getData('text')
        if (!replacesAll || !text.trim()) return
        event.preventDefault()
        show(event, addressIn(text) ?? text.trim())
      }}
      onBlur={(event) => {
        const { value } = event.currentTarget
        const address = addressIn(value)
        if (address && address !== value) show(event, address)
        onBlur?.(event)
      }}
    />
  )
}
