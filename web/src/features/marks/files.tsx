import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, Checkbox, failed } from '@/components/ui'
import { save as saveFile } from '@/lib/save'
import { fetchFile, type File } from './queries'

interface FilesProps {
  of: File['of']
  id: string
  files: readonly { what: File['what']; label: string }[]
}

/** Downloads of marks as files, with names or with codes in their place. */
export function Files({ of, id, files }: FilesProps) {
  const [codes, setCodes] = useState(false)
  const { mutateAsync, isPending, variables } = useMutation(fetchFile)

  async function save(what: File['what']) {
    try {
      saveFile(await mutateAsync({ of, id, what, codes }), `${what}.csv`)
    } catch (error) {
      void failed(error)
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
      {files.map(({ what, label }) => (
        <Button
          key={what}
          variant="quiet"
          size="sm"
          busy={isPending && variables.what === what}
          onClick={() => save(what)}
        >
          {label}
        </Button>
      ))}
      <Checkbox
        label={t`Codes instead of names`}
        checked={codes}
        onChange={(event) => setCodes(event.currentTarget.checked)}
        className="text-sm"
      />
    </div>
  )
}
