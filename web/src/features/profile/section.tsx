import { useId, type ReactNode } from 'react'

/** One part of the profile page, named by its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-t border-line pt-6">
      <h2 id={id} className="mb-5">
        {title}
      </h2>
      {children}
    </section>
  )
}
