import { useMutation } from '@tanstack/react-query'
import { Button, showAlert } from '@/components/ui'
import { explain } from '@/lib/problem'
import { exportData } from './mutations'
import { Section } from './section'

/** Downloads all of the user's own data as a file. */
export function ExportData() {
  const { mutateAsync, isPending: busy } = useMutation(exportData)

  async function save() {
    try {
      const url = URL.createObjectURL(await mutateAsync())
      const link = Object.assign(document.createElement('a'), { href: url, download: 'my-data.json' })
      link.click()
      URL.revokeObjectURL(url)
    } catch (error) {
      void showAlert({ title: 'Error', text: explain(error), error: true })
    }
  }

  return (
    <Section
      id="data"
      title="Your data"
      about="Your profile, sessions, assignments, submissions and grades in one JSON file."
    >
      <Button variant="quiet" busy={busy} onClick={() => void save()}>
        {busy ? 'Collecting…' : 'Download my data'}
      </Button>
    </Section>
  )
}
