import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { CircledMark } from '@/components/ui'
import { cx } from '@/lib/cx'

/** A form on a sheet. On wide screens the benefits of signing in are beside it. */
export function AuthSheet({ children }: { children: ReactNode }) {
  return (
    <div className="grid w-full max-w-md overflow-hidden rounded-card border border-line bg-raised lg:max-w-5xl lg:grid-cols-2">
      <Friends className="hidden aspect-[8/3] border-b sm:block lg:hidden" />
      <div className="min-w-0 p-6 sm:p-8 lg:p-10">{children}</div>
      <aside
        aria-label={t`What you can do here`}
        className="hidden border-s border-line bg-paper lg:flex lg:flex-col"
      >
        <Friends className="aspect-video border-b" />
        <ol className="grid grow content-evenly gap-6 p-10">
          {steps().map(({ title, text }, i) => (
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
    </div>
  )
}

/** Fetched only where it is shown. */
function Friends({ className }: { className: string }) {
  return (
    <img
      src="/art/banners/friends.svg"
      alt=""
      width={1280}
      height={480}
      loading="lazy"
      className={cx('w-full border-line object-cover', className)}
    />
  )
}

const steps = () => [
  {
    title: t`Create an assignment`,
    text: t`Title, marks, level and a due date. Your friends see it at once.`,
  },
  { title: t`Take one from a friend`, text: t`Write it where you like to write, then hand in the link.` },
  { title: t`Grade each other`, text: t`A mark in red, and a few words that help.` },
]
