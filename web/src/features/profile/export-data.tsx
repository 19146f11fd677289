import { useState } from 'react'
import { Button, alertBox } from '@/components/ui'
import { explain } from '@/lib/problem'
import { exportData } from './api'
import { Section } from './section'

/** All of one's own data as a file. */
export function ExportData() {
  const [busy, setBusy] = useState(false)

  async function save() {
    setBusy(true)
    try {
      const url = URL.createObjectURL(await exportData())
      const link = Object.assign(document.createElement('a'), { href: url, download: 'my-data.json' })
      link.click()
      URL.revokeObjectURL(url)
    } catch (error) {
      void alertBox({ title: 'Error', text: explain(error), error: true })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Section title="Your data">
      <p className="mb-5 max-w-prose text-soft">
        Your profile, sessions, assignments, submissions and grades in one JSON file.
      </p>
      <Button variant="quiet" busy={busy} onClick={() => void save()}>
        {busy ? 'Collecting…' : 'Download my data'}
      </Button>
    </Section>
  )
}
