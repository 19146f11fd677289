import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import {
  Button,
  Checkbox,
  Form,
  Select,
  TextArea,
  TextInput,
  failed,
  showConfirm,
  toast,
} from '@/components/ui'
import { dropDraft } from '@/lib/drafts'
import { showFieldErrors } from '@/lib/server-errors'
import { useSchemaForm } from '@/lib/use-schema-form'
import { circleSchema } from './circle-form'
import { ExportCircle } from './export-circle'
import { HandOver } from './hand-over'
import {
  archiveCircle,
  deleteCircle,
  settingsOf,
  updateCircle,
  type Settings,
} from '@/entities/circle/mutations'
import { Part } from './part'
import type { Circle } from '@/entities/circle/queries'

/** What the owners of a circle decide. */
export function SettingsTab({ circle }: { circle: Circle }) {
  return (
    <div className="grid gap-6">
      {circle.may.change && <SettingsForm circle={circle} />}
      <div className="grid gap-6 md:grid-cols-2">
        {circle.may.change && <HandOver circle={circle} />}
        <ExportCircle id={circle._id} />
        <Archive circle={circle} />
        <Delete circle={circle} />
      </div>
    </div>
  )
}

const fields = ['name', 'description', 'listed', 'join', 'publishing', 'grading', 'countsAccuracy'] as const

function SettingsForm({ circle }: { circle: Circle }) {
  const { _id: id } = circle
  const saved = settingsOf(circle)
  const over = JSON.stringify(saved)
  const draft = `circle ${id}`
  const { mutateAsync } = useMutation(updateCircle)
  const form = useSchemaForm({ schema: circleSchema, values: saved, draft, over })
  const { register, handleSubmit, formState, setError, reset } = form
  const { errors, isSubmitting } = formState
  // Another owner saved: what was not touched here follows, what was keeps its text.
  const known = useRef(over)
  useEffect(() => {
    if (known.current === over) return
    known.current = over
    reset(JSON.parse(over) as Settings, { keepDirtyValues: true, keepErrors: true })
  }, [over, reset])

  const submit = handleSubmit(async (settings) => {
    try {
      await mutateAsync({ id, settings, over: saved })
      dropDraft(draft)
      toast(t`Circle saved`)
    } catch (error) {
      if (showFieldErrors(error, fields, setError)) return
      await failed(error)
    }
  })

  return (
    <Part title={t`This circle`}>
      <Form onSubmit={submit} className="grid gap-5">
        <div className="grid items-start gap-x-10 gap-y-5 md:grid-cols-2">
          <div className="grid gap-5">
            <TextInput
              label={t`Name`}
              autoComplete="off"
              dir="auto"
              {...register('name')}
              error={errors.name?.message}
            />
            <TextArea
              markdown
              label={t`Description`}
              hint={t`Optional. Markdown works.`}
              rows={7}
              dir="auto"
              {...register('description')}
              error={errors.description?.message}
            />
          </div>
          <div className="grid gap-5">
            <Select
              label={t`Joining`}
              hint={t`People with an invitation can always join.`}
              {...register('join')}
              error={errors.join?.message}
            >
              <option value="invite">{t`By invitation only`}</option>
              <option value="ask">{t`Users ask, an organizer decides`}</option>
              <option value="open">{t`Every user may join`}</option>
            </Select>
            <Checkbox
              label={t`Listed`}
              hint={t`Every user can find its name, its description and how many members it has.`}
              className="-mt-2"
              {...register('listed')}
            />
            <Select label={t`Publishing`} {...register('publishing')} error={errors.publishing?.message}>
              <option value="members">{t`All members publish assignments`}</option>
              <option value="organizers">{t`Only organizers publish assignments`}</option>
            </Select>
            <Select label={t`Grading`} {...register('grading')} error={errors.grading?.message}>
              <option value="members">{t`All members grade and review`}</option>
              <option value="organizers">{t`Only organizers grade and review`}</option>
            </Select>
            <Checkbox
              label={t`Count accuracy`}
              hint={t`In the marks, organizers see how close each member’s reviews of exemplars come to the known marks. Reviewers are told before they begin. Only reviews of exemplars by owners and organizers count, and only if they begin at least a day after you turn this on.`}
              className="-mt-2"
              {...register('countsAccuracy')}
            />
          </div>
        </div>
        <Button type="submit" busy={isSubmitting} className="justify-self-start">
          {isSubmitting ? t`Saving…` : t`Save`}
        </Button>
      </Form>
    </Part>
  )
}

function Archive({ circle: { _id: id, archivedAt } }: { circle: Circle }) {
  const { mutateAsync, isPending } = useMutation(archiveCircle)
  const archive = archivedAt === null

  async function change() {
    const sure =
      !archive ||
      (await showConfirm({
        title: t`Archive this circle?`,
        text: t`It becomes read-only and quiet: nothing is due, and it sends no reminders or notifications.`,
        confirm: t`Archive`,
      }))
    if (!sure) return
    try {
      await mutateAsync({ id, archive })
      toast(archive ? t`Archived` : t`No longer archived`)
    } catch (error) {
      void failed(error)
    }
  }

  return (
    <Part
      title={t`Archive`}
      about={
        archive
          ? t`For a circle that has done its work: members can read it, but not change it.`
          : t`This circle is read-only. Members can work in it again once you bring it back.`
      }
    >
      <Button variant="quiet" busy={isPending} onClick={change}>
        {archive ? t`Archive circle` : t`Bring it back`}
      </Button>
    </Part>
  )
}

function Delete({ circle: { _id: id, name } }: { circle: Circle }) {
  const navigate = useNavigate()
  const { mutateAsync, isPending } = useMutation(deleteCircle(id, async () => navigate('/circles')))

  async function remove() {
    const sure = await showConfirm({
      title: t`Delete this circle?`,
      text: t`It disappears for all its members at once. For 30 days its owners can restore it; then it is removed with everything in it. Members keep the marks they got.`,
      detail: <bdi>{name}</bdi>,
      confirm: t`Delete`,
      danger: true,
    })
    if (!sure) return
    try {
      await mutateAsync()
    } catch (error) {
      void failed(error)
      return
    }
    toast(t`${name} is deleted. You can restore it here.`)
  }

  return (
    <Part title={t`Delete`} about={t`Hides the circle from everyone. You can restore it for 30 days.`}>
      <Button variant="danger" busy={isPending} onClick={remove}>
        {t`Delete circle`}
      </Button>
    </Part>
  )
}
