import { t } from '@lingui/core/macro'
import { placed } from '@/entities/rubric/rubric'

/** Hints for the reviewer before sending. */
export function BeforeSending({ id, remarks }: { id: string; remarks: readonly string[] }) {
  if (remarks.length === 0) return null
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="rounded-control border border-line border-s-4 border-s-highlighter p-3 text-sm"
    >
      <h3 id={`${id}-title`} className="font-sans text-sm font-semibold">
        {t`Before you send`}
      </h3>
      <ul id={id} className="mt-1 grid gap-1">
        {placed(remarks.map((text) => ({ text }))).map(({ text, key }) => (
          <li key={key} className="wrap-anywhere">
            {text}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-soft">{t`Only you see this. You can submit as it is.`}</p>
    </section>
  )
}
