import { useId, type ReactNode } from 'react'
import { Card } from '@/components/ui'

interface PartProps {
  title: string
  /** An introduction, under the title. */
  about?: string
  children: ReactNode
}

/** A part of a tab, named by its heading. */
export function Part({ title, about, children }: PartProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Card className="grid h-full content-start gap-4 p-4 sm:p-6">
        <div>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {about && <p className="mt-1 max-w-prose text-sm text-soft">{about}</p>}
        </div>
        <div className="min-w-0">{children}</div>
      </Card>
    </section>
  )
}
