import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { previewQuery, type Previewed } from './preview-query'
import { explain } from '@/lib/problem'
import { Loading } from '@/components/ui/spinner'
import { RenderedText } from '@/components/ui/rendered-text'

/** A text as the server would show it. */
export default function ServerPreview({ of, text }: { of: Previewed; text: string }) {
  const written = text.trim() !== ''
  const { data, error } = useQuery({ ...previewQuery(of, text), enabled: written })
  if (!written) return <p className="text-soft">{t`Nothing to preview yet.`}</p>
  if (data !== undefined) return <RenderedText html={data} />
  if (error) return <p role="alert">{explain(error)}</p>
  return <Loading label={t`Loading the preview`} />
}
