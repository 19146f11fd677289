import { t } from '@lingui/core/macro'
import { useId, useState } from 'react'
import { cx } from '@/lib/cx'
import { faqEntries } from './faq-entries'

/** Seven questions; one answer open at a time, and the open one closes again. */
export function Faq() {
  const [open, setOpen] = useState<number | null>(null)
  const id = useId()
  return (
    <section aria-labelledby={`${id}-title`} className="grid gap-x-12 gap-y-6 lg:grid-cols-[2fr_5fr]">
      <div>
        <h2 id={`${id}-title`} className="text-2xl">
          {t`Frequently Asked Questions`}
        </h2>
        <p className="mt-3 text-soft">{t`How the circle works, before you step into it.`}</p>
      </div>
      <ul className="divide-y divide-line border-y border-line">
        {faqEntries().map(({ question, answer }, i) => (
          <li key={question}>
            <button
              type="button"
              aria-expanded={open === i}
              aria-controls={`${id}-${i}`}
              onClick={() => setOpen(open === i ? null : i)}
              className="on-paper flex min-h-14 w-full items-center justify-between gap-4 py-3 text-start font-display text-lg font-semibold hover:text-green"
            >
              {question}
              <PlusIcon open={open === i} />
            </button>
            {/* Grid rows can grow from 0 to the text's own height; `invisible` takes the closed text from screen readers. */}
            <div
              id={`${id}-${i}`}
              className={cx(
                'grid transition-[grid-template-rows,visibility] duration-200 ease-out',
                open === i ? 'grid-rows-[1fr]' : 'invisible grid-rows-[0fr]',
              )}
            >
              <div className="min-h-0 overflow-hidden">
                <p className="max-w-prose pb-5 text-soft">{answer}</p>
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function PlusIcon({ open }: { open: boolean }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      className={cx('size-6 shrink-0 text-green transition-[rotate] duration-200', open && 'rotate-45')}
    >
      <path d="M12 5.500v13M5.500 12h13" />
    </svg>
  )
}
