import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button, TextInput, showAlert, showConfirm, toast } from '@/components/ui'
import { explain } from '@/lib/problem'
import { endCalendar, newCalendar } from './mutations'
import { calendarQuery } from './calendar'

/** The private calendar of the user's reminders. Its address is shown once. */
export function PrivateCalendar() {
  const { data } = useQuery(calendarQuery)
  const create = useMutation(newCalendar)
  const end = useMutation(endCalendar)
  const [url, setURL] = useState('')
  const address = useRef<HTMLInputElement>(null)
  const exists = data?.exists ?? false

  async function make() {
    if (exists) {
      const sure = await showConfirm({
        title: 'Are you sure?',
        text: 'The present address stops working at once.',
      })
      if (!sure) return
    }
    try {
      setURL(await create.mutateAsync())
      address.current?.focus()
    } catch (error) {
      await showAlert({ title: 'Error', text: explain(error), error: true })
    }
  }

  async function stop() {
    try {
      await end.mutateAsync()
      setURL('')
      void toast('Calendar ended')
    } catch (error) {
      await showAlert({ title: 'Error', text: explain(error), error: true })
    }
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(url)
      void toast('Address copied')
    } catch {
      address.current?.select()
    }
  }

  return (
    <div className="grid gap-4">
      <h3>Calendar</h3>
      <p className="text-soft">
        An address for your calendar program, with all that you asked to be reminded of. Whoever has the
        address can read it.
      </p>
      {url && (
        <div className="flex flex-wrap items-end gap-3">
          <TextInput
            ref={address}
            label="Calendar address"
            hint="Shown this once: copy it into your calendar program."
            readOnly
            value={url}
            className="grow basis-64"
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button variant="quiet" onClick={() => void copy()}>
            Copy address
          </Button>
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        <Button variant="quiet" busy={create.isPending} onClick={() => void make()}>
          {exists ? 'New calendar address' : 'Make a calendar address'}
        </Button>
        {exists && (
          <Button variant="plain" className="text-red" busy={end.isPending} onClick={() => void stop()}>
            End calendar
          </Button>
        )}
      </div>
    </div>
  )
}
