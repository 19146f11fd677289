import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button, DialogForm, Email, Radio, SearchField, SearchIcon, toast } from '@/components/ui'
import { requiredText } from '@/lib/rules'
import { useSchemaForm } from '@/lib/use-schema-form'
import { z } from '@/lib/zod'
import { handOver, membersQuery } from '@/entities/circle/members'

const schema = z.object({ userId: requiredText(100, () => t`Choose a member.`) })

/** Asks which member is to become owner. */
export function HandOverDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const { data } = useQuery(membersQuery(id, { page: 1, search, role: '', label: '', sort: '' }))
  const { mutateAsync } = useMutation(handOver)
  const form = useSchemaForm({ schema, values: { userId: '' } })
  const { register, formState } = form
  const others = data?.data.filter(({ role }) => role !== 'owner') ?? []
  function find() {
    form.resetField('userId')
    setSearch(box.current?.value.trim() ?? '')
  }
  return (
    <DialogForm
      title={t`Hand over this circle`}
      form={form}
      draft=""
      fields={['userId']}
      send={async ({ userId }) => {
        await mutateAsync({ id, userId })
      }}
      onClose={onClose}
      onSent={() => toast(t`Asked. They become an owner once they accept.`)}
      action={{ label: t`Ask them`, busy: t`Asking…` }}
    >
      <div className="flex items-end gap-3">
        <SearchField
          label={t`Search members`}
          value={search}
          placeholder={t`A name`}
          box={box}
          onClear={find}
          onEnter={find}
          className="min-w-0 flex-1"
        />
        <Button variant="quiet" onClick={find}>
          <SearchIcon />
          {t`Search`}
        </Button>
      </div>
      <fieldset>
        <legend className="mb-1 text-sm font-semibold">{t`Who should become owner?`}</legend>
        <div className="grid max-h-64 overflow-y-auto">
          {others.map(({ userId, displayName, email }) => (
            <Radio key={userId} value={userId} className="py-1" {...register('userId')}>
              <span className="min-w-0 leading-snug wrap-anywhere">
                <bdi>{displayName}</bdi>
                {email && (
                  <span className="block text-sm text-soft">
                    <Email address={email} />
                  </span>
                )}
              </span>
            </Radio>
          ))}
          {data && others.length === 0 && <p className="py-2 text-soft">{t`No member matches.`}</p>}
        </div>
        {formState.errors.userId && (
          <p className="text-sm font-semibold text-red">{formState.errors.userId.message}</p>
        )}
      </fieldset>
    </DialogForm>
  )
}
