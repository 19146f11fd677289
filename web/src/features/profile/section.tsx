import { useId, type ReactNode, type Ref } from 'react'

interface SectionProps {
  title: string
  /** Where links lead to it. */
  id?: string
  /** What it is about, under the title. */
  about?: string
  /** Its heading, where the focus may go. */
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** A part of the profile page, named by its heading, which is beside it on wide screens. */
export function Section({ title, id: anchor, about, heading, children }: SectionProps) {
  const id = useId()
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className="grid scroll-mt-4 gap-x-12 gap-y-5 border-t border-line pt-8 md:grid-cols-[11rem_minmax(0,1fr)] lg:grid-cols-[20rem_minmax(0,1fr)]"
    >
      <div>
        <h2 ref={heading} id={id} tabIndex={-1}>
          {title}
        </h2>
        {about && <p className="mt-2 max-w-prose text-sm text-soft">{about}</p>}
      </div>
      <div className="max-w-2xl min-w-0">{children}</div>
    </section>
  )
}
