import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { Button, Select, TextInput, toast } from '@/components/ui'
import { explain } from '@/lib/problem'
import { useGuarded } from '@/lib/use-guarded'
import { saveRubric, type Criterion } from '@/entities/rubric/saved-rubrics-query'

interface SaveRubricProps {
  /** The circle of the assignment; empty for none. */
  circle: string
  criteria: () => Criterion[]
}

const focus = (box: HTMLInputElement | null) => box?.focus()

/** Keeps the present rubric under a name. It stands within the assignment's form, which it does not send. */
export function SaveRubric({ circle, criteria }: SaveRubricProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [name, setName] = useState('')
  const [audience, setAudience] = useState('')
  const [error, setError] = useState<string>()
  const { mutateAsync, isPending } = useMutation(saveRubric)
  const opener = useRef<HTMLButtonElement>(null)

  function close() {
    flushSync(() => setIsOpen(false))
    setError(undefined)
    opener.current?.focus()
  }

  const save = useGuarded(async () => {
    if (!name.trim()) return setError(t`Give it a name.`)
    try {
      await mutateAsync({ name, criteria: criteria(), circle: audience })
      setName('')
      close()
      toast(t`Rubric saved`)
    } catch (failure) {
      setError(explain(failure))
    }
  })

  function onKey(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      event.preventDefault()
      void save()
    } else if (event.key === 'Escape') close()
  }

  if (!isOpen) {
    return (
      <Button ref={opener} variant="plain" size="sm" onClick={() => setIsOpen(true)}>
        {t`Save this rubric`}
      </Button>
    )
  }
  return (
    <div role="group" aria-label={t`Save this rubric`} className="flex w-full flex-wrap items-end gap-3">
      <TextInput
        label={t`Name of the rubric`}
        className="min-w-0 grow sm:max-w-80"
        ref={focus}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={onKey}
        error={error}
        dir="auto"
      />
      {circle && (
        <Select
          label={t`Keep it for`}
          value={audience}
          onChange={(event) => setAudience(event.currentTarget.value)}
        >
          <option value="">{t`Me`}</option>
          <option value={circle}>{t`The circle`}</option>
        </Select>
      )}
      <Button variant="quiet" busy={isPending} onClick={save}>
        {isPending ? t`Saving…` : t`Save rubric`}
      </Button>
      <Button variant="plain" onClick={close}>
        {t`Not now`}
      </Button>
    </div>
  )
}
