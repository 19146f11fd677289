import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button, TextInput, buttonClass, failed, showConfirm, toast } from '@/components/ui'
import { copyText } from '@/lib/copy-text'
import { endCalendar, newCalendar } from '@/entities/notification/mutations'
import { calendarQuery } from '@/entities/notification/calendar'

/** The private calendar of the user's reminders. Its address is shown once, with links that subscribe to it. */
export function PrivateCalendar() {
  const { data } = useQuery(calendarQuery)
  const create = useMutation(newCalendar)
  const end = useMutation(endCalendar)
  const [url, setURL] = useState('')
  const address = useRef<HTMLInputElement>(null)
  const exists = data?.exists ?? false
  useEffect(() => {
    if (url) address.current?.focus()
  }, [url])

  async function make() {
    if (exists) {
      const sure = await showConfirm({
        title: t`Are you sure?`,
        text: t`Calendars that use the current address will stop updating.`,
      })
      if (!sure) return
    }
    try {
      setURL(await create.mutateAsync())
    } catch (error) {
      await failed(error)
    }
  }

  /** Makes the address and opens Google Calendar with it, in one press. */
  async function addToGoogle() {
    // Browsers let a press open a window, but not an answer that comes later.
    const tab = window.open('', '_blank')
    try {
      const made = await create.mutateAsync()
      setURL(made)
      if (tab) {
        tab.opener = null
        tab.location.href = googleAddress(made)
      }
    } catch (error) {
      tab?.close()
      await failed(error)
    }
  }

  async function stop() {
    try {
      await end.mutateAsync()
      setURL('')
      toast(t`Calendar ended`)
    } catch (error) {
      await failed(error)
    }
  }

  async function copy() {
    if (address.current && (await copyText(address.current))) toast(t`Address copied`)
  }

  return (
    <div id="calendar" className="grid scroll-mt-16 gap-4 border-t border-line pt-6 lg:scroll-mt-6">
      <h3>{t`Calendar`}</h3>
      <p className="max-w-prose text-soft">
        <Trans>
          Shows the due dates that you asked to be reminded of in your own calendar, and keeps them up to
          date. Anyone who has the address can read it.
        </Trans>
      </p>
      {url && (
        <div className="grid gap-3">
          <TextInput
            ref={address}
            label={t`Calendar address`}
            hint={t`Shown only now. Add it with a button below, or copy it into your calendar.`}
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <div className="flex flex-wrap gap-3">
            <a
              href={googleAddress(url)}
              target="_blank"
              rel="noreferrer"
              className={buttonClass({ variant: 'primary' })}
            >
              {t`Add to Google Calendar`}
            </a>
            <a href={webcalAddress(url)} className={buttonClass({ variant: 'quiet' })}>
              {t`Add to Apple Calendar or Outlook`}
            </a>
            <Button variant="quiet" onClick={copy}>
              {t`Copy address`}
            </Button>
          </div>
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        {!exists && !url && (
          <Button variant="quiet" busy={create.isPending} onClick={addToGoogle}>
            {t`Add to Google Calendar`}
          </Button>
        )}
        <Button variant="quiet" busy={create.isPending} onClick={make}>
          {exists ? t`New calendar address` : t`Create a calendar address`}
        </Button>
        {exists && (
          <Button variant="plain" className="text-red" busy={end.isPending} onClick={stop}>
            {t`End calendar`}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The address by which calendar programs subscribe to a calendar. */
const webcalAddress = (url: string): string => url.replace(/^https?:/, 'webcal:')

/** The page of Google Calendar that subscribes to a calendar. */
const googleAddress = (url: string): string =>
  `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcalAddress(url))}`
