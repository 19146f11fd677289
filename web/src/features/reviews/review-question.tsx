import { t } from '@lingui/core/macro'
import { Clamped, RenderedText } from '@/components/ui'

interface Text {
  text: string
  html?: string
}

const Words = ({ text, html }: Text) => (html ? <RenderedText html={html} /> : text)

/** What the reviewer asked before the mark, and the submitter's answer. */
export function ReviewQuestion({ answer, ...question }: Text & { answer?: Text }) {
  return (
    <dl className="grid gap-2 border-s-4 border-line ps-4 text-sm [&_dt]:font-semibold">
      <dt>{t`Asked before the mark`}</dt>
      <dd>
        <Clamped>
          <Words {...question} />
        </Clamped>
      </dd>
      <dt>{t({ context: 'noun', message: 'Answer' })}</dt>
      <dd>
        {answer ? (
          <Clamped>
            <Words {...answer} />
          </Clamped>
        ) : (
          <span className="text-soft">{t`None.`}</span>
        )}
      </dd>
    </dl>
  )
}
