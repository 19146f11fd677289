import { useId, type ReactNode, type Ref } from 'react'

interface SectionProps {
  title: string
  /** Its heading, where the focus may go. */
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** One part of the profile page, named by its heading. */
export function Section({ title, heading, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-t border-line pt-6">
      <h2 ref={heading} id={id} tabIndex={-1} className="mb-5">
        {title}
      </h2>
      {children}
    </section>
  )
}
