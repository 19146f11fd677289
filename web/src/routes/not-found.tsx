import { LinkButton } from '@/components/ui'
import { useTitle } from '@/lib/use-title'

export function NotFound() {
  useTitle('Error !Page not found')
  return (
    <div className="page grid min-h-[60vh] place-content-center justify-items-center gap-6 text-center">
      <svg aria-hidden="true" viewBox="0 0 160 110" className="w-48">
        <g fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
          <path d="M48 14h52l14 14v72H48z" fill="var(--raised)" />
          <path d="M100 14v14h14" />
          <path d="M60 44h40M60 56h40M60 68h22" stroke="var(--line)" />
          <path
            d="M112 58c-16-10-40-6-46 10s10 28 30 26 32-20 20-34c-6-7-16-9-26-7"
            stroke="var(--red)"
            strokeWidth="3"
          />
          <path d="M84 68c1-6 12-6 12 1 0 5-6 5-6 10M90 85v.5" stroke="var(--red)" strokeWidth="3" />
        </g>
      </svg>
      <h1 tabIndex={-1}>Error !Page not found</h1>
      <p className="max-w-prose text-soft">
        This sheet is not in the folder. It may have been deleted, or its address is not complete.
      </p>
      <LinkButton to="/">Back to Home</LinkButton>
    </div>
  )
}
