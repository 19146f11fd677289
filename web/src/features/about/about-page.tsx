import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { AppLink, Card, CircledMark } from '@/components/ui'
import { useSite } from '@/lib/site'

/**
 * Who made this. Every string comes from the site settings and stands in a text node of its own: the prerendered
 * page carries placeholders there, which the server fills in.
 */
export function AboutPage() {
  const { developer } = useSite()
  return (
    <div className="page">
      <div className="grid items-start gap-x-14 gap-y-8 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <img
          src={developer.photo}
          alt={developer.name}
          width={480}
          height={560}
          fetchPriority="high"
          className="aspect-[6/7] w-full max-w-sm rounded-card border border-line object-cover md:max-w-none"
        />
        <div>
          <h1>{t`About Us`}</h1>
          <h2 className="mt-8 text-2xl">{developer.name}</h2>
          <p className="mt-1 font-semibold text-green">{developer.role}</p>
          <p className="mt-5 max-w-prose text-lg">{developer.bio}</p>
          <p className="mt-8 flex items-center gap-4">
            <CircledMark seed="project count" drawn className="px-5 py-3 font-display text-2xl font-bold">
              {developer.projectCount}
            </CircledMark>
            <span className="font-semibold">{t`projects finished`}</span>
          </p>
          <ul className="mt-8 flex flex-wrap gap-x-6 gap-y-2">
            {developer.social.map(({ label, url }) => (
              <li key={label}>
                <a href={url} rel="me noopener" className="link inline-flex min-h-11 items-center">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      </div>

      <h2 className="mt-16 text-2xl">{t`Featured Projects`}</h2>
      <ul className="mt-6 grid gap-4 md:grid-cols-3">
        {developer.projects.map(({ title, description, url }) => (
          <li key={title}>
            <Card lift className="relative h-full p-6">
              <h3>
                {/* The whole card answers to the pointer; its name stays the title alone. */}
                <a href={url} rel="noopener" className="link after:absolute after:inset-0">
                  {title}
                </a>
              </h3>
              <p className="mt-2 text-soft">{description}</p>
            </Card>
          </li>
        ))}
      </ul>
      <p className="mt-12">
        <Trans>
          The best way to get to know us:{' '}
          <AppLink to="/assignments" className="link">
            take an assignment
          </AppLink>
          , or see how reviews become marks in the{' '}
          <AppLink to="/lab" className="link">
            grade lab
          </AppLink>
          .
        </Trans>
      </p>
    </div>
  )
}
