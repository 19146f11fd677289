import { t } from '@lingui/core/macro'
import { cx } from '@/lib/cx'
import { faceFor, guestFace, initialsOf } from './faces'

interface AvatarProps {
  /** The text alternative and tooltip; absent for a visitor, who appears as 'Guest'. */
  name?: string | undefined
  photoURL?: string | null | undefined
  /** In CSS pixels; the picture is square. */
  size?: number
  className?: string
}

const round = 'aspect-square rounded-full border border-line bg-raised object-cover'

/**
 * A user's photo over their initials, a generated face where there is none, or the guest's. A photo that does not
 * load is hidden by its mark, which index.html sets before any of this is there.
 */
export function Avatar({ name, photoURL, size = 40, className }: AvatarProps) {
  const box = { width: size, height: size }
  const plain = cx(round, className)
  if (!name) return <img src={guestFace} alt={t`Guest`} {...box} className={plain} />
  return photoURL ? (
    <span
      style={box}
      className={cx(plain, 'relative inline-grid place-items-center overflow-hidden font-bold')}
    >
      <span aria-hidden="true">{initialsOf(name)}</span>
      <img
        key={photoURL}
        src={photoURL}
        alt={name}
        title={name}
        {...box}
        referrerPolicy="no-referrer"
        className="absolute inset-0 size-full bg-raised object-cover data-broken:opacity-0"
      />
    </span>
  ) : (
    <img src={faceFor(name)} alt={name} title={name} {...box} className={plain} />
  )
}
