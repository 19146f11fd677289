import { useId, type ReactNode } from 'react'
import { LinkButton } from '@/components/ui'
import { cx } from '@/lib/cx'

interface RegionProps {
  title: string
  /** Where what the region shows has more. */
  more?: ReactNode
  className?: string
  children: ReactNode
}

/** A sheet of the dashboard. */
export function Region({ title, more, className, children }: RegionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={cx('flex min-w-0 flex-col rounded-card border border-line bg-raised p-5 lg:p-6', className)}
    >
      <div className="flex min-h-8 flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} tabIndex={-1} className="text-lg">
          {title}
        </h2>
        {more}
      </div>
      {children}
    </section>
  )
}

interface FirstStepProps {
  /** Which of the drawings in /art/empty goes with it. */
  art?: 'assignments' | 'pending' | 'submitted'
  text: string
  to: string
  label: string
  /** The one that the page stresses. */
  primary?: boolean
}

/** Nothing to show yet: what to do about it. */
export function FirstStep({ art, text, to, label, primary = false }: FirstStepProps) {
  return (
    <div className="grid grow place-content-center justify-items-center gap-4 py-4 text-center">
      {art && <img src={`/art/empty/${art}.svg`} alt="" width={200} height={150} className="max-w-full" />}
      <p className="max-w-72 text-soft">{text}</p>
      <LinkButton to={to} variant={primary ? 'primary' : 'quiet'}>
        {label}
      </LinkButton>
    </div>
  )
}

/** A line that is still on its way. */
export function Blank({ className }: { className: string }) {
  return <span aria-hidden="true" className={cx('block rounded-sm bg-line/70', className)} />
}
