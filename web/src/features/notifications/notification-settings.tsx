import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import {
  Button,
  Checkbox,
  ErrorState,
  Form,
  Loading,
  Select,
  TextInput,
  failed,
  toast,
} from '@/components/ui'
import { dropDraft } from '@/lib/drafts'
import { explain } from '@/lib/problem'
import { showFieldErrors } from '@/lib/server-errors'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { putSettings } from '@/entities/notification/mutations'
import { PrivateCalendar } from './private-calendar'
import { settingsQuery, type Settings } from '@/entities/notification/queries'
import { kindNames, kinds } from './kinds'

/** Which notifications a user gets, where and when; and the private calendar. */
export default function NotificationSettings() {
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

/** The days in a text like '3, 1', the earliest reminder first; null unless they are up to five different days from 0 to 30. */
function daysOf(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter(Boolean)
  const days = parts.map(Number)
  const right = days.every((day) => Number.isInteger(day) && day >= 0 && day <= 30)
  return right && days.length <= 5 && new Set(days).size === days.length
    ? days.toSorted((a, b) => b - a)
    : null
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const channelsOfKind = z.object({ app: z.boolean(), mail: z.boolean() })

const schema = z.object({
  channels: z.object(Object.fromEntries(kinds.map((kind) => [kind, channelsOfKind]))),
  digest: z.enum(['none', 'daily']),
  timeZone: z.string().check(
    z.trim(),
    z.refine(isTimeZone, {
      error: () => t`This time zone is not known. Choose one from the list, like Europe/Berlin.`,
    }),
  ),
  days: z.string().check(
    z.refine((text) => daysOf(text) !== null, {
      error: () => t`Enter up to five different days from 0 to 30, like 3, 1.`,
    }),
  ),
  at: z.string(),
})

type SettingsValues = z.infer<typeof schema>

const valuesOf = ({ channels, digest, timeZone, reminders }: Settings): SettingsValues => ({
  channels: Object.fromEntries(kinds.map((kind) => [kind, channels[kind] ?? { app: true, mail: false }])),
  digest,
  timeZone,
  days: reminders.daysBefore.join(', '),
  at: reminders.at,
})

const channels = [
  { channel: 'app', header: () => t`In the app`, labelOf: (kind: string) => t`${kind}: in the app` },
  { channel: 'mail', header: () => t`By email`, labelOf: (kind: string) => t`${kind}: by email` },
] as const
const draft = 'notification settings'

function SettingsForm({ settings }: { settings: Settings }) {
  const { mutateAsync } = useMutation(putSettings)
  const saved = valuesOf(settings)
  const { register, handleSubmit, formState, setError, setValue } = useSchemaForm<SettingsValues>({
    schema,
    values: saved,
    draft,
    over: JSON.stringify(saved),
  })
  const { errors, isSubmitting } = formState
  const zones = useId()

  const submit = handleSubmit(async ({ days, at, ...rest }) => {
    const daysBefore = daysOf(days) ?? []
    try {
      await mutateAsync({ ...settings, ...rest, reminders: { ...settings.reminders, daysBefore, at } })
      setValue('days', daysBefore.join(', '))
      dropDraft(draft)
      toast(t`Notifications saved`)
    } catch (error) {
      if (showFieldErrors(error, ['timeZone'], setError)) return
      await failed(error)
    }
  })

  return (
    <Form onSubmit={submit} className="grid items-start gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,1fr)_17rem]">
      <table className="w-full border-collapse text-start">
        <caption className="sr-only">{t`What you are notified of, and where`}</caption>
        <thead>
          <tr className="border-b border-line text-sm">
            <th scope="col" className="py-2 text-start font-semibold">
              {t`When`}
            </th>
            {channels.map(({ channel, header }) => (
              <th
                key={channel}
                scope="col"
                className="w-14 px-1 py-2 text-center font-semibold sm:w-20 sm:px-2"
              >
                {header()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="pointer-fine:leading-6">
          {kinds.map((kind) => (
            <tr key={kind} className="border-b border-line">
              <th scope="row" className="py-1 text-start font-normal pointer-fine:py-0">
                {kindNames[kind]()}
              </th>
              {channels.map(({ channel, labelOf }) => (
                <td key={channel} className="text-center sm:px-2">
                  <Checkbox
                    label={labelOf(kindNames[kind]())}
                    labelHidden
                    {...register(`channels.${kind}.${channel}`)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="grid gap-5 sm:grid-cols-2 xl:grid-cols-1">
        <Select label={t`Emails`} hint={t`Only to a confirmed address.`} {...register('digest')}>
          <option value="none">{t`One email each`}</option>
          <option value="daily">{t`One email a day`}</option>
        </Select>
        <div>
          <TextInput
            label={t`Time zone`}
            hint={t`Reminders use this time zone.`}
            list={zones}
            autoComplete="off"
            spellCheck={false}
            {...register('timeZone')}
            error={errors.timeZone?.message}
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
          label={t`Remind me, days before`}
          hint={t`Up to five numbers; 0 is the day itself.`}
          inputMode="numeric"
          {...register('days')}
          error={errors.days?.message}
        />
        <TextInput
          label={t`Time of day`}
          hint={t`For reminders and the daily email.`}
          type="time"
          required
          {...register('at')}
        />
      </div>
      <Button type="submit" busy={isSubmitting} className="justify-self-start">
        {isSubmitting ? t`Saving…` : t`Update notifications`}
      </Button>
    </Form>
  )
}
