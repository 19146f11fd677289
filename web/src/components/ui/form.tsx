import { useState, type ComponentProps, type SubmitEvent } from 'react'
import { arrival, isLeaving } from '@/lib/arrival'
import { useGuarded } from '@/lib/use-guarded'
import { LockContext } from './lock'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** While the promise that it returns is pending, the form is not sent again, nor until the next page is there. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => unknown
}

/** A form whose fields are checked by its schema. Once it is sent, its buttons are busy until the next page is there. */
export function Form({ onSubmit, ...rest }: FormProps) {
  const [locked, setLocked] = useState(false)
  const send = useGuarded(async (event: SubmitEvent<HTMLFormElement>) => {
    await onSubmit(event)
    if (!isLeaving()) return
    setLocked(true)
    await arrival()
    setLocked(false)
  })
  return (
    <LockContext value={locked}>
      <form
        noValidate
        {...rest}
        onSubmit={(event) => {
          event.preventDefault()
          void send(event)
        }}
      />
    </LockContext>
  )
}
