import { cx } from '@/lib/cx'
import { useSignIn } from '@/lib/site'
import { useHydrated } from '@/lib/use-hydrated'

/** The product's own drawings in /art, and what they show, for who does not see them. */
const drawings = {
  people: {
    title: 'Our faces',
    files: {
      ada: 'Short curls',
      hina: 'Black bob',
      minjun: 'Spiky hair',
      layla: 'Pink headscarf',
      tomas: 'Beard',
      eleni: 'Glasses and long hair',
      noam: 'Glasses and curls',
      darya: 'Fair plaits',
      ananya: 'High bun',
      zoe: 'Woolly hat',
    },
  },
  thumbs: {
    title: 'Our pictures',
    files: {
      algebra: 'Algebra',
      geometry: 'Geometry',
      statistics: 'Statistics',
      physics: 'Physics',
      chemistry: 'Chemistry',
      biology: 'Biology',
      ecology: 'Ecology',
      astronomy: 'Astronomy',
      medicine: 'Medicine',
      programming: 'Programming',
      electronics: 'Electronics',
      geography: 'Geography',
      history: 'History',
      economics: 'Economics',
      philosophy: 'Philosophy',
      literature: 'Literature',
      writing: 'Writing',
      languages: 'Languages',
      music: 'Music',
      art: 'Art',
    },
  },
} as const

/** The absolute address of a drawing, as the API wants it; '' of one that there is not. */
export function artAddress(art: keyof typeof drawings, file: string, origin: string | null): string {
  return file in drawings[art].files ? `${origin ?? window.location.origin}/art/${art}/${file}.svg` : ''
}

interface ArtPickerProps {
  art: keyof typeof drawings
  /** What stands in the field beside it. */
  value: string | undefined
  /** Gets the drawing's absolute address, as the API wants it. */
  onPick: (url: string) => void
}

/** Beside a field that takes a picture's address: our own drawings, which fill it in. */
export function ArtPicker({ art, value, onPick }: ArtPickerProps) {
  const { publicOrigin } = useSignIn()
  const { title, files } = drawings[art]
  // The first HTML may not know what stands in the field.
  const hydrated = useHydrated()
  const round = art === 'people'
  return (
    <div role="group" aria-label={title} className="@container -mt-2 grid gap-2">
      <p className="text-sm text-soft">No picture at hand? Take one of ours:</p>
      <ul
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
                aria-label={shows}
                title={shows}
                aria-pressed={hydrated && value !== undefined && value.endsWith(path)}
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
