import type { ComponentProps, SubmitEvent } from 'react'
import { useGuarded } from '@/lib/use-guarded'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** While the promise that it returns is pending, the form is not sent again. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => unknown
}

/** A form whose fields are checked by its schema. */
export function Form({ onSubmit, ...rest }: FormProps) {
  const send = useGuarded(onSubmit)
  return (
    <form
      noValidate
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        void send(event)
      }}
    />
  )
}
