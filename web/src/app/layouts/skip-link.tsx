import { t } from '@lingui/core/macro'

/** The first stop of the keyboard: past header and navigation. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only focus:not-sr-only focus:absolute focus:start-4 focus:top-2 focus:z-10 focus:rounded-control focus:bg-green focus:px-4 focus:py-2 focus:text-on-green"
    >
      {t`Skip to content`}
    </a>
  )
}
