import { useId, type ReactNode, type Ref } from 'react'

interface SectionProps {
  title: string
  /** Where links lead to it. */
  id: string
  /** An introduction, under the title. */
  about?: string
  /** Its heading, where the focus may go. */
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** A part of the profile page, named by its heading. */
export function Section({ title, id: anchor, about, heading, children }: SectionProps) {
  const id = useId()
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className="grid scroll-mt-16 content-start gap-y-4 border-line max-md:border-b max-md:pb-6 md:rounded-card md:border md:bg-raised md:p-6 lg:scroll-mt-6"
    >
      <div>
        <h2 ref={heading} id={id} tabIndex={-1}>
          {title}
        </h2>
        {about && <p className="mt-1 max-w-prose text-sm text-soft">{about}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
