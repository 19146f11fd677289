import { useState } from 'react'
import { cx } from '@/lib/cx'
import { If, format } from '@/lib/template'
import { useHydrated } from '@/lib/use-hydrated'
import { faceFor, guestFace, initialsOf } from './faces'

interface AvatarProps {
  /** The alternative text and tooltip; left out for a visitor, who is shown as 'Guest'. */
  name?: string | undefined
  photoURL?: string | null | undefined
  /** In CSS pixels; the picture is square. */
  size?: number
  className?: string
}

const round = 'aspect-square rounded-full border border-line bg-raised object-cover'
const initials = format('initials', initialsOf)

/** A user's photo over their initials, a generated face where there is none or it does not load, or the guest's. */
export function Avatar({ name, photoURL, size = 40, className }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null)
  const hydrated = useHydrated()
  const box = { width: size, height: size }
  if (!name) return <img src={guestFace} alt="Guest" {...box} className={cx(round, className)} />
  const lettered = cx(
    round,
    'relative inline-grid place-items-center overflow-hidden font-bold text-ink',
    className,
  )
  const face = hydrated ? (
    <img src={faceFor(name)} alt={name} title={name} {...box} className={cx(round, className)} />
  ) : (
    <span role="img" aria-label={name} title={name} style={box} className={lettered}>
      {initials(name)}
    </span>
  )
  return (
    <If value={photoURL === broken ? null : photoURL} otherwise={face}>
      {(src) => (
        <span style={box} className={lettered}>
          <span aria-hidden="true">{initials(name)}</span>
          <img
            src={src}
            alt={name}
            title={name}
            {...box}
            referrerPolicy="no-referrer"
            onError={() => setBroken(src)}
            // It may have failed before the page could hear of it; index.html hides it until then.
            ref={(image) => {
              if (image?.complete && image.naturalWidth === 0) image.decode().catch(() => setBroken(src))
            }}
            className="absolute inset-0 size-full object-cover data-broken:opacity-0"
          />
        </span>
      )}
    </If>
  )
}
