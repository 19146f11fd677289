/** The drawings in `public/art/icons.svg`. */
export type ArtIconName =
  | 'create'
  | 'submit'
  | 'grade'
  | 'progress'
  | 'together'
  | 'deadline'
  | 'algebra'
  | 'geometry'
  | 'physics'
  | 'chemistry'
  | 'biology'
  | 'history'
  | 'literature'
  | 'code'
  | 'language'
  | 'music'
  | 'art'
  | 'globe'
  | 'chart'
  | 'star'

/** One drawing out of the sheet that all icons share: fetched once, and no weight in the script. */
export function ArtIcon({ name, className = 'size-16' }: { name: ArtIconName; className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 64 64" className={`shrink-0 ${className}`}>
      <use href={`/art/icons.svg#${name}`} />
    </svg>
  )
}
