import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Button, failed } from '@/components/ui'
import { save as saveFile } from '@/lib/save'
import { exportData } from '@/entities/user/mutations'
import { Section } from './section'

/** Downloads all of the user's own data as a file. */
export function ExportData() {
  const { mutateAsync, isPending: busy } = useMutation(exportData)

  async function save() {
    try {
      saveFile(await mutateAsync(), 'my-data.json')
    } catch (error) {
      void failed(error)
    }
  }

  return (
    <Section
      id="data"
      title={t`Your data`}
      about={t`Your profile, sessions, assignments, submissions and grades in one JSON file.`}
    >
      <Button variant="quiet" busy={busy} onClick={save}>
        {busy ? t`Collecting…` : t`Download my data`}
      </Button>
    </Section>
  )
}
