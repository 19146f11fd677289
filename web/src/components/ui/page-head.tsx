import type { ReactNode, Ref } from 'react'

interface PageHeadProps {
  title: string
  /** Which of the drawings in /art/heads stands beside it, where there is room. */
  art: 'pending' | 'mine' | 'create' | 'update' | 'dashboard' | 'circles'
  /** The heading, where the focus may go. */
  heading?: Ref<HTMLHeadingElement>
  /** One sentence on what the page is for. */
  children: ReactNode
}

/** The head of a work page: title, purpose and a drawing. */
export function PageHead({ title, art, heading, children }: PageHeadProps) {
  return (
    <div className="mb-8 flex items-end justify-between gap-8">
      <div className="min-w-0">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <p className="mt-3 max-w-prose text-balance text-soft">{children}</p>
      </div>
      <img
        src={`/art/heads/${art}.svg`}
        alt=""
        width={200}
        height={132}
        loading="lazy"
        className="-my-2 h-28 w-auto shrink-0 max-sm:hidden"
      />
    </div>
  )
}
