import { useState } from 'react'
import { cx } from '@/lib/cx'
import { useHydrated } from '@/lib/use-hydrated'
import { blankFace, faceFor, guestFace } from './faces'

interface AvatarProps {
  /** The alternative text and tooltip; left out for a visitor, who is shown as 'Guest'. */
  name?: string | undefined
  photoURL?: string | null | undefined
  /** In CSS pixels; the picture is square. */
  size?: number
  className?: string
}

/** A user's photo, a generated one where there is none or it does not load, or the guest's. */
export function Avatar({ name, photoURL, size = 40, className }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null)
  const hydrated = useHydrated()
  const drawn = name && hydrated ? faceFor(name) : blankFace
  const generated = name ? drawn : guestFace
  return (
    <img
      src={photoURL && photoURL !== broken ? photoURL : generated}
      alt={name ?? 'Guest'}
      title={name}
      width={size}
      height={size}
      referrerPolicy="no-referrer"
      onError={() => setBroken(photoURL ?? null)}
      className={cx('aspect-square rounded-full border border-line bg-raised object-cover', className)}
    />
  )
}
