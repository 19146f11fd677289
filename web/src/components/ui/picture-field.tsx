import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, type ComponentProps, type KeyboardEvent } from 'react'
import { cx } from '@/lib/cx'
import { forwardKey } from '@/lib/direction'
import { useSignIn } from '@/lib/site'
import { TextInput } from './inputs'

/** The product's drawings in /art with their text alternatives. */
const drawings = () => ({
  people: {
    title: t`Our faces`,
    files: {
      ada: t`Short curls`,
      hina: t`Black bob`,
      minjun: t`Spiky hair`,
      layla: t`Pink headscarf`,
      tomas: t`Beard`,
      eleni: t`Glasses and long hair`,
      noam: t`Glasses and curls`,
      darya: t`Fair plaits`,
      ananya: t`High bun`,
      zoe: t`Woolly hat`,
    },
  },
  thumbs: {
    title: t`Our pictures`,
    files: {
      algebra: t`Algebra`,
      geometry: t`Geometry`,
      statistics: t`Statistics`,
      physics: t`Physics`,
      chemistry: t`Chemistry`,
      biology: t`Biology`,
      ecology: t`Ecology`,
      astronomy: t`Astronomy`,
      medicine: t`Medicine`,
      programming: t`Programming`,
      electronics: t`Electronics`,
      geography: t`Geography`,
      history: t`History`,
      economics: t`Economics`,
      philosophy: t`Philosophy`,
      literature: t`Literature`,
      writing: t`Writing`,
      languages: t`Languages`,
      music: t`Music`,
      art: t`Art`,
    },
  },
})

type Art = 'people' | 'thumbs'

/** The absolute address of a drawing, as the API wants it; '' of one that there is not. */
export function artAddress(art: Art, file: string, origin: string | null): string {
  return file in drawings()[art].files ? `${origin ?? window.location.origin}/art/${art}/${file}.svg` : ''
}

type PictureFieldProps = ComponentProps<typeof TextInput> & {
  art: Art
  /** The field's value. */
  address: string | undefined
  /** Gets the drawing's absolute address, as the API wants it. */
  onPick: (url: string) => void
}

/**
 * A field for the address of a picture, and our own drawings, which fill it in. They are no stops of the Tab key on
 * the way through a form: Arrow Down leads from the field to them, the arrow keys from one to the next, Escape back.
 */
export function PictureField({ art, address, onPick, hint, ...field }: PictureFieldProps) {
  const { publicOrigin } = useSignIn()
  const gallery = useRef<HTMLUListElement>(null)
  const { title, files } = drawings()[art]
  const round = art === 'people'

  const buttons = () => [...(gallery.current?.querySelectorAll('button') ?? [])]
  const backToField = () => gallery.current?.closest('[role=group]')?.querySelector('input')?.focus()

  /** An address that was typed or pasted without its https:// gets it when the field is left. */
  async function mend(input: HTMLInputElement) {
    const typed = input.value
    if (!typed) return
    const { addressIn } = await import('@/lib/address')
    const meant = addressIn(typed)
    if (meant && meant !== typed && input.value === typed) onPick(meant)
  }

  function enter(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    const all = buttons()
    const target = all.find((button) => button.ariaPressed === 'true') ?? all[0]
    target?.focus()
  }

  function move(event: KeyboardEvent<HTMLElement>) {
    if (event.key === 'Escape') backToField()
    const by = forwardKey(event.currentTarget) === 'ArrowRight' ? 1 : -1
    const step = { ArrowRight: by, ArrowDown: 1, ArrowLeft: -by, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const all = buttons()
    const next = all.findIndex((button) => button === event.currentTarget) + step
    if (next < 0) backToField()
    else all[Math.min(next, all.length - 1)]?.focus()
  }

  return (
    <div role="group" aria-label={title} className="@container grid gap-2.5">
      <TextInput
        {...field}
        hint={
          <>
            {hint}
            <span className="sr-only"> {t`Press Arrow Down for our drawings.`}</span>
          </>
        }
        onKeyDown={enter}
        onBlur={(event) => {
          // Without its code, the form's rule does the same.
          mend(event.currentTarget).catch(() => undefined)
          field.onBlur?.(event)
        }}
      />
      <p className="text-sm text-soft">
        <Trans>
          No picture at hand? Take one of ours
          <span aria-hidden="true" className="pointer-coarse:hidden">
            {' '}
            (↓ in the field)
          </span>
          :
        </Trans>
      </p>
      <ul
        ref={gallery}
        className={cx(
          'grid gap-2',
          round ? 'grid-cols-5 @lg:grid-cols-10' : 'grid-cols-4 @md:grid-cols-5 @2xl:grid-cols-10',
        )}
      >
        {Object.entries(files).map(([file, shows]) => {
          const path = `/art/${art}/${file}.svg`
          return (
            <li key={file} className={cx(round && 'max-w-14')}>
              <button
                type="button"
                tabIndex={-1}
                aria-label={shows}
                title={shows}
                aria-pressed={address !== undefined && address.endsWith(path)}
                onKeyDown={move}
                onClick={() => onPick(artAddress(art, file, publicOrigin))}
                className={cx(
                  'block w-full overflow-hidden border border-line transition-[border-color,box-shadow] duration-150 hover:border-ink aria-pressed:border-green aria-pressed:shadow-[0_0_0_2px_var(--green)]',
                  round ? 'aspect-square rounded-full' : 'aspect-video rounded-control',
                )}
              >
                <img
                  src={path}
                  alt=""
                  width={round ? 100 : 160}
                  height={round ? 100 : 90}
                  loading="lazy"
                  className="size-full object-cover"
                />
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
