import { Outlet } from 'react-router'
import { CircledMark } from '@/components/ui'
import { Footer } from './footer'
import { Header } from './header'
import { OfflineBanner } from './offline-banner'
import { SkipLink } from './skip-link'

/** The auth pages: a form on a sheet, and beside it, where there is room, why one would sign in. */
export function AuthLayout() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Header />
      <OfflineBanner />
      {/* On a phone the footer starts below the screen: what a form still gets once the script runs moves nothing. */}
      <main
        id="main"
        tabIndex={-1}
        className="page grid grow items-start max-lg:min-h-svh gap-12 outline-none lg:grid-cols-[minmax(0,28rem)_minmax(0,1fr)]"
      >
        <div className="rounded-card border border-line bg-raised p-6 sm:p-8">
          <Outlet />
        </div>
        <aside aria-label="What you can do here" className="hidden max-w-md pt-10 ps-4 lg:block">
          <ol className="grid gap-8">
            {steps.map(({ title, text }, i) => (
              <li key={title} className="grid grid-cols-[3rem_minmax(0,1fr)] gap-4">
                <CircledMark seed={title} className="size-12 font-display text-lg font-bold">
                  {i + 1}
                </CircledMark>
                <div>
                  <p className="font-display text-lg font-semibold">{title}</p>
                  <p className="text-soft">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        </aside>
      </main>
      <Footer />
    </div>
  )
}

const steps = [
  { title: 'Set a piece of work', text: 'Title, marks, level and a due date. Your friends see it at once.' },
  { title: 'Take one from a friend', text: 'Write it where you like to write, then hand in the link.' },
  { title: 'Grade each other', text: 'A mark in red, and a few words that help.' },
]
