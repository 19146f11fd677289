import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button, ErrorState, Loading, Select, TextInput, showAlert, toast } from '@/components/ui'
import { explain } from '@/lib/problem'
import { putSettings } from './mutations'
import { PrivateCalendar } from './private-calendar'
import { settingsQuery, type Kind, type Settings } from './queries'
import { kindNames, kinds } from './words'

/** What one is told, where and when; and the calendar. */
export function NotificationSettings() {
  const { data, error, refetch } = useQuery(settingsQuery)
  if (data) {
    return (
      <div className="grid gap-10">
        <SettingsForm settings={data} />
        <PrivateCalendar />
      </div>
    )
  }
  if (error) return <ErrorState message={explain(error)} onRetry={() => void refetch()} />
  return <Loading />
}

/** Days as people type them: '3, 1'. Null where that is none of the days that there are. */
function daysOf(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter(Boolean)
  const days = parts.map(Number)
  const right = days.every((day) => Number.isInteger(day) && day >= 0 && day <= 30)
  return right && days.length <= 5 && new Set(days).size === days.length ? days : null
}

const channels = [
  { channel: 'app', header: 'In the app' },
  { channel: 'mail', header: 'By mail' },
] as const

function SettingsForm({ settings }: { settings: Settings }) {
  const { mutateAsync, isPending } = useMutation(putSettings)
  const [wanted, setWanted] = useState(settings)
  const [days, setDays] = useState(settings.reminders.daysBefore.join(', '))
  const [wrong, setWrong] = useState<{ days?: string; zone?: string }>({})
  const zones = useId()

  const choose = (kind: Kind, channel: 'app' | 'mail', on: boolean) => {
    const before = wanted.channels[kind] ?? { app: true, mail: false }
    setWanted({ ...wanted, channels: { ...wanted.channels, [kind]: { ...before, [channel]: on } } })
  }

  async function save() {
    const daysBefore = daysOf(days)
    if (!daysBefore) {
      setWrong({ days: 'Enter up to five different days from 0 to 30, like 3, 1.' })
      return
    }
    setWrong({})
    try {
      await mutateAsync({ ...wanted, reminders: { ...wanted.reminders, daysBefore } })
      setDays(daysBefore.toSorted((a, b) => b - a).join(', '))
      void toast('Notifications saved')
    } catch (error) {
      if (error instanceof Error && 'fields' in error && JSON.stringify(error.fields).includes('timeZone')) {
        setWrong({ zone: 'This time zone is not known. Pick one of the list, like Europe/Berlin.' })
        return
      }
      await showAlert({ title: 'Error', text: explain(error), error: true })
    }
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      className="grid gap-6"
    >
      <table className="w-full border-collapse text-start">
        <caption className="sr-only">What you are told, and where</caption>
        <thead>
          <tr className="border-b border-line text-sm">
            <th scope="col" className="py-2 text-start font-semibold">
              When
            </th>
            {channels.map(({ channel, header }) => (
              <th key={channel} scope="col" className="w-20 px-2 py-2 text-center font-semibold">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind} className="border-b border-line">
              <th scope="row" className="py-1 text-start font-normal">
                {kindNames[kind]}
              </th>
              {channels.map(({ channel, header }) => (
                <td key={channel} className="px-2 text-center">
                  <label className="inline-grid size-11 cursor-pointer place-items-center">
                    <input
                      type="checkbox"
                      className="size-5 accent-green"
                      aria-label={`${kindNames[kind]}: ${header.toLowerCase()}`}
                      checked={wanted.channels[kind]?.[channel] ?? false}
                      onChange={(event) => choose(kind, channel, event.currentTarget.checked)}
                    />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label="Mails"
          hint="Only to an address that you have confirmed."
          value={wanted.digest}
          onChange={(event) =>
            setWanted({ ...wanted, digest: event.currentTarget.value === 'daily' ? 'daily' : 'none' })
          }
        >
          <option value="none">Each by itself</option>
          <option value="daily">One mail a day</option>
        </Select>
        <div>
          <TextInput
            label="Time zone"
            hint="Your days and times are its."
            list={zones}
            autoComplete="off"
            spellCheck={false}
            value={wanted.timeZone}
            error={wrong.zone}
            onChange={(event) => setWanted({ ...wanted, timeZone: event.currentTarget.value.trim() })}
          />
          <datalist id={zones}>
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone}>
                {zone}
              </option>
            ))}
          </datalist>
        </div>
        <TextInput
          label="Remind me, days before"
          hint="Up to five, 0 is the day itself."
          inputMode="numeric"
          value={days}
          error={wrong.days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <TextInput
          label="Time of day"
          hint="Of reminders and of the daily mail."
          type="time"
          required
          value={wanted.reminders.at}
          onChange={(event) =>
            setWanted({ ...wanted, reminders: { ...wanted.reminders, at: event.currentTarget.value } })
          }
        />
      </div>
      <Button type="submit" busy={isPending} className="justify-self-start">
        {isPending ? 'Saving…' : 'Update notifications'}
      </Button>
    </form>
  )
}
