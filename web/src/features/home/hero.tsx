import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { LinkButton, Stressed } from '@/components/ui'
import { useAccess, useBrand } from '@/lib/site'
import { Carousel } from './carousel'

/** The introduction beside the banners. Both fade in over 0.8 s, once. */
export function Hero() {
  const brand = useBrand()
  const { hall } = useAccess()
  return (
    <div className="grid items-center gap-x-12 gap-y-8 lg:grid-cols-[5fr_6fr]">
      <div className="animate-[rise_800ms_var(--ease-out)_both]">
        <h1 className="text-4xl">
          <Trans>
            Study{' '}
            {/* The word is wider than the stroke's own box: let the stroke grow with it, or its dashes show. */}
            <span className="[&_path]:[vector-effect:none]">
              <Stressed seed="together">Together</Stressed>
            </span>{' '}
            with {brand}
          </Trans>
        </h1>
        <p className="mt-5 max-w-prose text-lg text-soft">
          {t`Create assignments, collaborate with friends, and grade each other's work in a fun and interactive way.`}
        </p>
        {hall === 'off' ? (
          <LinkButton to="/circles" className="mt-7">
            {t`Get Started`}
          </LinkButton>
        ) : (
          <LinkButton to="/assignments" className="mt-7">
            {t`Get Started`}
          </LinkButton>
        )}
      </div>
      <Carousel className="min-w-0 lg:pt-8" />
    </div>
  )
}
